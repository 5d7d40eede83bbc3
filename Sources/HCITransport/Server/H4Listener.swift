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

/// A place where HCI hosts connect to: TCP or a socket in the file system. Each connection becomes an ``H4Stream``, on
/// which we are the controller.
// Invariant of the unchecked conformance: after `init`, the state is touched only on the watcher's thread.
package final class H4Listener: @unchecked Sendable {
  /// Why a server does not listen, or no longer does: what was tried, why it failed and what to do.
  package struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
  }

  private let watcher: any FileDescriptorWatcher
  private let limits: H4Stream.Limits
  private var socket: StreamSocket?
  /// Given up for a moment where the process has no other descriptor left, so that who waits can be sent away.
  private var reserve: Int32 = -1
  /// The file that was made for the socket, to be removed with it, and how to know it again.
  private var file: (path: String, identity: FileIdentity)?
  private var connections = 0

  private typealias Accepted = @Sendable (_ stream: H4Stream, _ peer: String) -> Void
  private var accepted: Accepted = { _, _ in }
  private var failed: @Sendable (Failure) -> Void = { _ in }

  /// - Parameter limits: How much may wait on each connection, and how long.
  package init(watcher: any FileDescriptorWatcher, limits: H4Stream.Limits = H4Stream.Limits()) {
    self.watcher = watcher
    self.limits = limits
  }

  /// Begins to listen.
  ///
  /// A name is looked up here and now, so the loop stands still meanwhile; it is meant for the start of a program.
  ///
  /// - Parameters:
  ///   - accepted: Gets each new connection, to be started, and who is at the other end, in words.
  ///   - failed: Called in a turn of its own when the system ends the listening; those that are connected stay.
  /// - Returns: Where it listens: with the port that was chosen, where that was left open.
  package func listen(
    at address: ListenAddress,
    accepted: @escaping @Sendable (_ stream: H4Stream, _ peer: String) -> Void,
    failed: @escaping @Sendable (Failure) -> Void
  ) -> Result<ListenAddress, Failure> {
    close()
    let opened: Result<(StreamSocket, ListenAddress), Failure>
    switch address {
    case .tcp(let host, let port): opened = Self.listen(host: host, port: port, at: address)
    case .unix(let path): opened = listen(path: path, at: address)
    }
    return opened.map { socket, bound in
      self.socket = socket
      self.accepted = accepted
      self.failed = failed
      reserve = open("/dev/null", O_RDONLY | O_CLOEXEC)
      watcher.watch(socket.descriptor, for: .readable) { [weak self] _ in self?.accept() }
      return bound
    }
  }

  /// Stops to listen; connections stay.
  package func close() {
    guard let socket else { return }
    watcher.unwatch(socket.descriptor)
    socket.shut()
    self.socket = nil
    if reserve >= 0 { shut(reserve) }
    reserve = -1
    if let file, FileIdentity(path: file.path) == file.identity { unlink(file.path) }
    file = nil
    accepted = { _, _ in }
    failed = { _ in }
  }

  // MARK: Opening

  private static func listen(
    host: String,
    port: UInt16,
    at address: ListenAddress
  ) -> Result<(StreamSocket, ListenAddress), Failure> {
    let addresses: [SocketAddress]
    switch SocketAddress.resolve(host: host, port: port, isNumeric: false) {
    case .success(let found): addresses = found
    case .failure(let failure):
      return .failure(Failure(description: "Can not listen at \(address): the host has no address: \(failure.reason)."))
    }
    var last: StreamSocket.SystemError?
    for candidate in addresses {
      switch StreamSocket.listen(at: candidate) {
      case .success(let socket):
        let bound = socket.localAddress?.hostAndPort.map { ListenAddress.tcp(host: host, port: $0.port) }
        return .success((socket, bound ?? address))
      case .failure(let error): last = error
      }
    }
    let advice =
      last?.code == EADDRINUSE ? " Choose another port, or 0 for any that is free." : " Choose another address."
    let why = last?.description ?? "it has no address"
    return .failure(Failure(description: "Can not listen at \(address): \(why).\(advice)"))
  }

  private func listen(path: String, at address: ListenAddress) -> Result<(StreamSocket, ListenAddress), Failure> {
    guard let place = SocketAddress.unix(path: path) else {
      return .failure(Failure(description: "Can not listen at \(address): the path is too long for a socket."))
    }
    var result = StreamSocket.listen(at: place)
    if case .failure(let error) = result, error.code == EADDRINUSE, Self.isLeftOver(place, path: path) {
      unlink(path)
      result = StreamSocket.listen(at: place)
    }
    switch result {
    case .success(let socket):
      file = FileIdentity(path: path).map { (path, $0) }
      return .success((socket, address))
    case .failure(let error):
      let advice = Self.advice(on: error, path)
      return .failure(Failure(description: "Can not listen at \(address): \(error). \(advice)"))
    }
  }

  private static func advice(on error: StreamSocket.SystemError, _ path: String) -> String {
    let identity = FileIdentity(path: path)
    guard error.code == EADDRINUSE, let identity else { return "Check the path." }
    guard identity.isFolder else { return "Something is there. Remove it or choose another path." }
    let example = path.hasSuffix("/") ? path + "air" : path + "/air"
    return "It is a folder. Name a file in it that is not there yet, such as unix:\(example)."
  }

  /// Whether the file is a socket that nobody listens at any more.
  private static func isLeftOver(_ place: SocketAddress, path: String) -> Bool {
    guard FileIdentity(path: path)?.isSocket == true else { return false }
    switch StreamSocket.connect(to: place) {
    case .success((let socket, _)):
      socket.shut()
      return false
    case .failure(let error): return error.code == ECONNREFUSED
    }
  }

  // MARK: Accepting

  private func accept() {
    // Some at a time, so that a crowd at the door does not keep those who are in from being served.
    for _ in 0..<16 {
      guard let socket else { return }
      switch socket.accept() {
      case .success(.connection(let connection, let peer)):
        connections &+= 1
        let name = peer?.hostAndPort.map { "\(ListenAddress.tcp(host: $0.host, port: $0.port))" }
        let stream = H4Stream(connection, side: .controller, watcher: watcher, limits: limits)
        accepted(stream, name ?? "local \(connections)")
      case .success(.nothing): return
      case .success(.noDescriptor): turnAway(socket)
      case .failure(let error):
        let failed = failed
        let failure = Failure(description: "The system ended the listening for HCI hosts: \(error).")
        close()
        return watcher.submit { failed(failure) }
      }
    }
  }

  /// Sends who waits away, as there is no descriptor to serve it; it would else wake the loop without end.
  private func turnAway(_ socket: StreamSocket) {
    guard reserve >= 0 else { return }
    shut(reserve)
    if case .success(.connection(let connection, _)) = socket.accept() { connection.shut() }
    reserve = open("/dev/null", O_RDONLY | O_CLOEXEC)
  }
}

/// Tells one file from another at the same path.
private struct FileIdentity: Equatable {
  let device: UInt64
  let number: UInt64
  let isSocket: Bool
  let isFolder: Bool

  init?(path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
    isSocket = status.st_mode & mode_t(S_IFMT) == mode_t(S_IFSOCK)
    isFolder = status.st_mode & mode_t(S_IFMT) == mode_t(S_IFDIR)
  }

  static func == (left: FileIdentity, right: FileIdentity) -> Bool {
    left.device == right.device && left.number == right.number
  }
}

/// The system's `close`, which a method hides.
private func shut(_ descriptor: Int32) { _ = close(descriptor) }
