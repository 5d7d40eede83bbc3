/// What one link of an adapter carried of ATT, as the kernel's own record has it: PDUs in hexadecimal digits.
struct ATTRecord: Sendable {
  /// What the adapter's host has sent.
  var sent: [String] = []
  /// And what it has heard.
  var received: [String] = []

  /// Requests and commands of the client at the other end.
  var requestsReceived: [String] { received.filter { Self.requests.contains(String($0.prefix(2))) } }

  /// The Database Hashes that were told.
  var hashes: Set<String> {
    // Read By Type Response with one handle and its 16 bytes.
    Set(received.filter { $0.hasPrefix("0912") && $0.count == 40 }.map { String($0.dropFirst(8)) })
  }

  private static let requests: Set = ["02", "04", "06", "08", "0a", "0c", "0e", "10", "12", "16", "18", "20", "52"]

  /// Whether a PDU asks what attributes there are: services, includes, characteristics or descriptors.
  static func isDiscovery(_ pdu: String) -> Bool {
    ["04", "06", "10"].contains(pdu.prefix(2))
      || pdu.hasPrefix("08") && ["0228", "0328", "0229"].contains(pdu.dropFirst(10))
  }

  /// Whether a PDU reads the Database Hash, from the first handle on.
  static func isOfHash(_ pdu: String) -> Bool { pdu == "080100ffff2a2b" }
}

extension VirtualMachine.Report {
  /// The links that ATT was spoken on, in their order.
  var attLinks: [ATTRecord] {
    var links: [Int: ATTRecord] = [:]
    for words in rests(behind: "att ").map({ $0.split(separator: " ").map(String.init) }) where words.count == 3 {
      guard let link = Int(words[0]) else { continue }
      if words[1] == "sent" {
        links[link, default: ATTRecord()].sent.append(words[2])
      } else {
        links[link, default: ATTRecord()].received.append(words[2])
      }
    }
    return links.sorted { $0.key < $1.key }.map(\.value)
  }
}
