import BluetoothTypes

/// Who gets the values of a subscription, as the peripheral sees it. All calls come on the radio's executor.
protocol FeedReader: AnyObject, Sendable {
  var plan: ValuePlan { get }
  /// The number that the peripheral gave the reader when it began; set by the peripheral only.
  var feedNumber: UInt64? { get set }
  /// Takes a value.
  func receive(_ bytes: [UInt8]) -> FeedDelivery
  /// The device has agreed to the subscription, the first time or again.
  func subscribed()
  /// Nothing more will come.
  func end(_ error: BluetoothError)
}

extension FeedReader {
  func subscribed() {}
}

/// What became of a value.
enum FeedDelivery {
  case taken
  /// The reader has no room and wants no more.
  case overflowed
}

/// What one stream of values is to do.
struct ValuePlan: Sendable {
  var name: CharacteristicName
  var buffering: Buffering
  var onReconnect: OnReconnect
  var limit: Duration?
  /// Whether it may begin before there is a connection.
  var awaitsConnection = false
}
