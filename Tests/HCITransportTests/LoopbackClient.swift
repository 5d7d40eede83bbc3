import HCITransport

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Connects to a place of this machine as any program would, and returns the descriptor; -1 if nobody is there.
func connectToLoopback(_ place: ListenAddress) -> Int32 {
  #if canImport(Glibc)
    let type = Int32(SOCK_STREAM.rawValue)
  #else
    let type = SOCK_STREAM
  #endif
  let descriptor: Int32
  let status: Int32
  switch place {
  case .tcp(_, let port):
    descriptor = socket(AF_INET, type, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    address.sin_port = port.bigEndian
    status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  case .unix(let path):
    descriptor = socket(AF_UNIX, type, 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
    status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
  if status == 0 { return descriptor }
  close(descriptor)
  return -1
}

/// Gives a path for a socket that no other test has.
func freshSocketPath() -> String { "/tmp/halcyon-\(getpid())-\(UInt32.random(in: 0 ... .max))" }

/// Whether something is at a path.
func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
