import Halcyon

/// A found device in one line: its name, how strongly it was heard, and the services that it advertises.
struct SightingLine {
  let text: String

  init(_ discovery: Discovery) {
    let services = discovery.advertisement.serviceUUIDs.map { AssignedNames.service($0) ?? $0.description }
    let strength = discovery.rssi.map { "\($0) dBm" } ?? "? dBm"
    text = [
      (discovery.name ?? "no name").padded(to: 12),
      strength.padded(to: 8),
      services.joined(separator: ", "),
    ].joined(separator: "  ")
  }
}
