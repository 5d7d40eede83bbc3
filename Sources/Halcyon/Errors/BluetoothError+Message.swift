import BluetoothTypes
import RadioPort

extension BluetoothError {
  /// What was tried, on what, why it failed and what to do, in ``language``.
  public var message: String { message(in: language) }

  /// What was tried, on what, why it failed and what to do.
  public func message(in language: Language) -> String {
    switch language {
    case .english: EnglishMessage(self).text
    case .simplifiedChinese: ChineseMessage(self).text
    }
  }

  /// What the radio said about the cause, if anything.
  var cause: String? {
    if case .reason(let reason) = detail { return reason }
    if let failure = radioFailure { return failure.reason.isEmpty ? nil : failure.reason }
    return underlying.map { "\($0)" }
  }
}

extension CharacteristicProperties {
  /// The names of the properties that are set, as the specification has them.
  var names: [String] {
    let all: [(CharacteristicProperties, String)] = [
      (.broadcast, "broadcast"), (.read, "read"), (.writeWithoutResponse, "write without response"),
      (.write, "write"), (.notify, "notify"), (.indicate, "indicate"),
      (.authenticatedSignedWrites, "signed write"),
    ]
    return all.compactMap { contains($0.0) ? $0.1 : nil }
  }
}
