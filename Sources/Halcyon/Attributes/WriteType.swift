/// How a value is written.
public enum WriteType: Hashable, Sendable, CaseIterable {
  /// With response where the characteristic allows it, else without.
  case automatic
  /// The device answers, and refuses if it does not like the value. Values of up to 512 bytes.
  case withResponse
  /// The device does not answer. Faster; the call waits until the radio has taken the value.
  case withoutResponse
}
