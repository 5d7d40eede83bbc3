#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

extension World {
  /// Puts all devices of a scene into the world, switched on, and lets their ways and faults begin; those of radios that
  /// are yet to come begin when they come.
  ///
  /// - Returns: The devices, in the order of the scene.
  @discardableResult
  public func load(scene: Scene) -> [VirtualDevice] {
    if let propagation = scene.propagation { setPropagation(propagation) }
    for radio in scene.radios { expect(radio) }
    return scene.devices.map { described in
      let device = make(described)
      if let position = described.position { device.move(to: position) }
      if let movement = described.movement { device.move(along: movement) }
      for fault in described.faults { device.faults.add(fault) }
      return device
    }
  }

  /// The devices that there are where no scene is named: a heart-rate band, a thermometer and a lamp.
  @discardableResult
  package func addDemoDevices() -> [VirtualDevice] {
    [
      add(.heartRateBand(name: "Pulse")).device,
      add(.thermometer(name: "Thermo")).device,
      add(.lamp(name: "Lamp")).device,
    ]
  }

  private func make(_ described: SceneDevice) -> VirtualDevice {
    switch described.kind {
    case .heartRateBand: add(.heartRateBand(name: described.name)).device
    case .thermometer: add(.thermometer(name: described.name)).device
    case .lamp: add(.lamp(name: described.name)).device
    case .custom(let description): add(.custom(description))
    }
  }
}

extension Scene {
  /// Reads the scene in a file.
  ///
  /// - Throws: ``SceneError`` with the file, line, column and reason.
  public init(contentsOf path: String) throws(SceneError) {
    do throws(SceneError) { try self.init(json: Self.read(path)) } catch {
      var error = error
      error.file = path
      throw error
    }
  }

  /// No scene is longer, in bytes.
  static let longest = 16_000_000

  private static func read(_ path: String) throws(SceneError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw failure("can not be read: \(String(cString: strerror(errno))). Check the path.") }
    defer { close(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = part.withUnsafeMutableBytes { Self.readBytes(file, $0) }
      if count == 0 { return bytes }
      guard count > 0 else { throw failure("can not be read: \(String(cString: strerror(errno)))") }
      bytes += part.prefix(count)
      guard bytes.count <= longest else { throw failure("is longer than \(longest / 1_000_000) MB") }
    }
  }

  private static func readBytes(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Darwin)
      Darwin.read(file, buffer.baseAddress, buffer.count)
    #elseif canImport(Musl)
      Musl.read(file, buffer.baseAddress, buffer.count)
    #elseif canImport(Android)
      Android.read(file, buffer.baseAddress, buffer.count)
    #else
      Glibc.read(file, buffer.baseAddress, buffer.count)
    #endif
  }

  private static func failure(_ reason: String) -> SceneError { SceneError(line: 0, column: 0, reason) }
}
