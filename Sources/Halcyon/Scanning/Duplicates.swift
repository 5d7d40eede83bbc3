/// How often a scan tells of one device.
public enum Duplicates: Hashable, Sendable {
  /// Once, with advertisement and scan response in one, and again when what it says changes.
  ///
  /// A device that may have a scan response is told of when that has come, or 100 ms after its advertisement. What was
  /// not read yet is replaced by what is newer of the same device, so the buffer holds each device once.
  case merge
  /// At each advertisement and each scan response, as for watching the signal strength.
  ///
  /// The newest 1,024 that were not read yet are kept.
  case all
}
