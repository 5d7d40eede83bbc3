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

  /// What the radio said about the cause, if anything; without a full stop, as it stands inside of a sentence.
  var cause: String? {
    guard let said = saidCause else { return nil }
    return said.hasSuffix(".") ? String(said.dropLast()) : said
  }

  private var saidCause: String? {
    if case .reason(let reason) = detail { return reason }
    // The code says it all; the radio's words would only repeat it.
    if kind.attCode != nil { return nil }
    if let failure = radioFailure { return failure.reason.isEmpty ? nil : failure.reason }
    return underlying.map { "\($0)" }
  }
}

extension Duration {
  /// The duration in seconds, to the millisecond: `10`, `1.5`, `0.002`.
  var secondsText: String {
    let (seconds, attoseconds) = components
    let milliseconds = (attoseconds / 1_000_000_000_000_000).magnitude
    guard milliseconds > 0 else { return "\(seconds)" }
    var digits = String(1000 + milliseconds).dropFirst()
    while digits.last == "0" { digits.removeLast() }
    return "\(seconds == 0 && attoseconds < 0 ? "-" : "")\(seconds).\(digits)"
  }
}
