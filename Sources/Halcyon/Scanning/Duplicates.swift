/// How often a scan tells of one device.
public enum Duplicates: Hashable, Sendable {
  /// Once, with advertisement and scan response in one, and again when what it says changes.
  ///
  /// A device that may have a scan response is told of when that has come, or 100 ms after its advertisement. What was
  /// not read yet is replaced by what is newer of the same device, so the buffer holds each device once, and of these
  /// the newest 1,024.
  ///
  /// The scan remembers at least the 1,024 devices that it heard last, and less than twice as many. One that was
  /// forgotten is told of again when it is heard again. A scan with a `limit` above 1,024 keeps up to that many in place
  /// of 1,024, so its limit counts each device once, and a slow reader gets all that it has counted.
  case merge
  /// At each advertisement and each scan response, as for watching the signal strength.
  ///
  /// The newest 1,024 that were not read yet are kept.
  case all
  /// At most once in this time, with the newest that was heard of it: a scan that is throttled.
  ///
  /// A device is told of at once when it is heard for the first time, or after a longer silence. What is heard of it
  /// within the time is told at its end, if it is more than nothing. Memory and buffer are those of ``merge``.
  case every(Duration)
}
