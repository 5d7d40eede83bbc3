/// A number with what it counts: `0 bytes`, `1 byte`, `2 bytes`.
///
/// - Parameter noun: What is counted, in the singular; its plural ends in s.
package func counted(_ number: some BinaryInteger, _ noun: String) -> String {
  "\(number) \(noun)\(number == 1 ? "" : "s")"
}
