#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// The HCI user channel of the Linux kernel: an adapter that one program takes over from the kernel's own host. Each call
/// on the socket carries one packet with its H4 indicator.
enum UserChannel {
  /// Opens the channel to `hciN`.
  static func open(index: UInt16) -> Result<StreamSocket, StreamSocket.SystemError> {
    #if os(Linux) || os(Android)
      let descriptor = socket(addressFamily, Int32(rawSocket) | nonBlocking | closeOnExecution, hciProtocol)
      guard descriptor >= 0 else { return .failure(StreamSocket.SystemError(code: errno)) }
      guard address(index).with({ bind(descriptor, $0, $1) }) == 0 else {
        let code = errno
        _ = close(descriptor)
        return .failure(StreamSocket.SystemError(code: code))
      }
      return .success(StreamSocket(descriptor: descriptor, kind: .packetSocket))
    #else
      return .failure(StreamSocket.SystemError(code: EAFNOSUPPORT))
    #endif
  }

  /// What to do about an error.
  static func advice(on code: Int32, index: UInt16) -> String {
    switch code {
    case EPERM, EACCES: "It needs the capability CAP_NET_ADMIN: run the program as root."
    case ENODEV: "There is no adapter hci\(index); “ls /sys/class/bluetooth” lists those there are."
    case EBUSY: "The kernel's own host uses hci\(index): switch it off there first (“bluetoothctl power off”)."
    case EUSERS: "Another program has taken hci\(index) over; end that one first."
    case EAFNOSUPPORT, EPROTONOSUPPORT: "Only a Linux kernel with Bluetooth has such channels."
    default: "See the kernel's log (dmesg)."
    }
  }

  #if os(Linux) || os(Android)
    // From the kernel's <net/bluetooth/bluetooth.h> and <net/bluetooth/hci_sock.h>, which no C library comes with.
    private static let addressFamily: Int32 = 31
    private static let hciProtocol: Int32 = 1
    private static let userChannel: UInt16 = 1
    #if canImport(Glibc)
      private static let rawSocket = SOCK_RAW.rawValue
      private static let nonBlocking = Int32(SOCK_NONBLOCK.rawValue)
      private static let closeOnExecution = Int32(SOCK_CLOEXEC.rawValue)
    #else
      private static let rawSocket = SOCK_RAW
      private static let nonBlocking = Int32(SOCK_NONBLOCK)
      private static let closeOnExecution = Int32(SOCK_CLOEXEC)
    #endif

    /// `struct sockaddr_hci`: family, device and channel, in the byte order of the machine.
    private static func address(_ index: UInt16) -> SocketAddress {
      let fields = [UInt16(addressFamily), index, userChannel]
      return SocketAddress(family: addressFamily, bytes: fields.withUnsafeBytes { Array($0) })
    }
  #endif
}
