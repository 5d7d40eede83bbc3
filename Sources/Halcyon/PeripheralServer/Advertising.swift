import BluetoothTypes
import RadioPort

extension PeripheralServer {
  /// What a server says of itself to who listens. An advertisement and its scan response have room for 31 bytes each, of
  /// which the flags and the lengths take some.
  public struct Advertising: Hashable, Sendable {
    /// What to do with what does not fit.
    public typealias Overflow = AdvertisingRequest.Overflow

    /// The name; `nil` for none.
    public var name: String?
    /// The services, most important first; `nil` for all primary ones that the server has.
    public var services: [ServiceID]?
    /// Data in the terms of a company.
    public var manufacturerData: ManufacturerData?
    /// What it looks like.
    public var appearance: Appearance?
    /// What else to say, such as `.serviceData(_:_:)`, most important first.
    public var more: [ADStructure]
    /// Whether centrals may connect.
    public var isConnectable: Bool
    /// Whether to go on, for others, while a central is connected.
    public var continuesWhileConnected: Bool
    /// The time from one advertisement to the next, 20 ms to 10.24 s, where the radio lets one choose.
    public var interval: ClosedRange<Duration>
    /// By default it is an error if not all fits.
    public var overflow: Overflow

    /// What to advertise; by default the services, every 100 to 150 ms.
    public init(
      name: String? = nil,
      services: [ServiceID]? = nil,
      manufacturerData: ManufacturerData? = nil,
      appearance: Appearance? = nil,
      more: [ADStructure] = [],
      isConnectable: Bool = true,
      continuesWhileConnected: Bool = true,
      interval: ClosedRange<Duration> = .milliseconds(100) ... .milliseconds(150),
      overflow: Overflow = .fail
    ) {
      self.name = name
      self.services = services
      self.manufacturerData = manufacturerData
      self.appearance = appearance
      self.more = more
      self.isConnectable = isConnectable
      self.continuesWhileConnected = continuesWhileConnected
      self.interval = interval
      self.overflow = overflow
    }

    func request(standard: [ServiceID]) -> AdvertisingRequest {
      var structures: [ADStructure] = []
      if let manufacturerData { structures.append(.manufacturerData(manufacturerData.company, manufacturerData.data)) }
      if let appearance { structures.append(.appearance(appearance)) }
      return AdvertisingRequest(
        name: name,
        services: (services ?? standard).map(\.uuid),
        more: structures + more,
        isConnectable: isConnectable,
        continuesWhileConnected: continuesWhileConnected,
        interval: interval,
        overflow: overflow
      )
    }
  }

  /// What a server does where the program says nothing else. Everything has a default.
  public struct Configuration: Sendable {
    /// How long operations may take.
    public var timeouts: Timeouts
    /// The language of error messages.
    public var language: Language
    /// Where to tell what happens; `nil`, the default, tells nothing.
    public var log: (any LogSink)?

    /// The defaults, or what is given in their place.
    public init(timeouts: Timeouts = Timeouts(), language: Language = .english, log: (any LogSink)? = nil) {
      self.timeouts = timeouts
      self.language = language
      self.log = log
    }
  }

  /// How long operations may take; `nil` means without limit.
  public struct Timeouts: Hashable, Sendable {
    /// Until a server has started, the wait for the radio included: by default 30 s.
    public var start: Duration? = .seconds(30)
    /// Until there is room for a value or for a message on a channel and, for an indication, until it is confirmed: by
    /// default 30 s.
    public var send: Duration? = .seconds(30)
    /// Until a handler has answered: by default 28 s. A central gives a link up whose server has not answered for 30 s
    /// (Core 5.4, Vol 3, Part F, 3.3.3), so that a longer time makes no sense. For a write without response it counts
    /// from when its handler begins.
    public var handler: Duration = .seconds(28)

    /// The defaults.
    public init() {}
  }
}
