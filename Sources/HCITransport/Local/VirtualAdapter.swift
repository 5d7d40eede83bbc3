import BluetoothTypes

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// An adapter of the Linux kernel whose controller is this process: what the kernel's driver `hci_vhci` makes for who
/// opens `/dev/vhci`. The adapter goes with the stream.
package enum VirtualAdapter {
  /// Where the kernel makes such adapters.
  package static let path = "/dev/vhci"

  /// Why there is no adapter: what was tried, why it failed and what to do.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// Makes a new adapter. The kernel's host begins at once to ask its controller what it is.
  ///
  /// - Returns: The stream, on which this process is the controller, and N of the kernel's name `hciN`.
  package static func open(
    watcher: any FileDescriptorWatcher
  ) -> Result<(stream: H4Stream, index: UInt16), Failure> {
    let descriptor = openFile(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return .failure(failure(of: errno)) }
    let device = StreamSocket(descriptor: descriptor, kind: .packetDevice)
    switch create(on: device) {
    case .success(let (index, begun)):
      return .success((H4Stream(device, side: .controller, watcher: watcher, begun: begun), index))
    case .failure(let failure):
      device.shut()
      return .failure(failure)
    }
  }

  /// What asks for an adapter, and marks the answer.
  private static let vendorPacket: UInt8 = 0xFF
  /// A primary controller.
  private static let ordinary: UInt8 = 0

  /// Asks for the adapter, and reads until the answer comes; the kernel's first command may come before it.
  static func create(on device: StreamSocket) -> Result<(index: UInt16, begun: [UInt8]), Failure> {
    switch [vendorPacket, ordinary].withUnsafeBytes({ device.write($0) }) {
    case .success(2): break
    case .success: return .failure(Failure(description: "\(path) takes no request for an adapter."))
    case .failure(let error): return .failure(failure(of: error.code))
    }
    var begun: [UInt8] = []
    var packet = [UInt8](repeating: 0, count: 4096)
    while case .success(.count(let count)) = packet.withUnsafeMutableBytes({ device.read(into: $0) }) {
      guard packet[0] == vendorPacket else {
        begun.append(contentsOf: packet[..<count])
        continue
      }
      guard count >= 4 else { break }
      return .success((UInt16(packet[2]) | UInt16(packet[3]) << 8, begun))
    }
    return .failure(Failure(description: "\(path) was asked for an adapter and did not say that it made one."))
  }

  private static func failure(of code: Int32) -> Failure {
    let advice =
      switch code {
      case ENOENT, ENODEV, ENXIO:
        "Load the Linux kernel's driver with “modprobe hci_vhci”; a kernel without Bluetooth does not have it."
      case EACCES, EPERM: "Run this as root, or give the user access to \(path)."
      default: "See the kernel's log (dmesg)."
      }
    let why = StreamSocket.SystemError(code: code).description
    return Failure(description: "Can not make an adapter with \(path): \(why). \(advice)")
  }
}

private func openFile(_ path: String, _ flags: Int32) -> Int32 { open(path, flags) }
