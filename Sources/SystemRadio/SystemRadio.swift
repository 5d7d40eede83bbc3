import HCITransport
import RadioPort
import VirtualRadio

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#else
  import Glibc
#endif

/// The radio that a program uses if it names none, and the way from the name of a radio to the radio.
package enum SystemRadio {
  /// The variable of the environment that chooses the radio.
  package static let variable = "HALCYON_RADIO"

  /// Whether the environment names a radio.
  package static var isNamed: Bool { getenv(variable).map { $0.pointee != 0 } ?? false }

  /// The one radio of the process, made at first use: what `HALCYON_RADIO` names. Where that is not possible, a radio
  /// whose state is `.unsupported` and says what to do.
  package static let `default`: any Radio = radio(named: getenv(variable).map { String(cString: $0) })

  /// What ``default`` is for this value of `HALCYON_RADIO`.
  package static func radio(named name: String?) -> any Radio {
    guard let name, !name.isEmpty else {
      return UnavailableRadio(
        reason: """
          No Bluetooth radio was chosen. Set \(variable)=hci:tcp:HOST:PORT to use the HCI controller that listens there, \
          or give the program a radio of its own, such as that of a virtual world.
          """
      )
    }
    do {
      return try open(name)
    } catch {
      return UnavailableRadio(reason: "\(variable) can not be followed: \(error)")
    }
  }

  /// Makes the radio that `name` names, in one of the forms of ``RadioSelection``. Whether the hardware is there shows
  /// in the state of the radio.
  ///
  /// - Throws: ``RadioSelectionError`` if the name makes no sense or that kind of radio is not in this version.
  package static func open(_ name: String) throws(RadioSelectionError) -> any Radio {
    try open(RadioSelection(name))
  }

  /// Makes a radio.
  ///
  /// - Throws: ``RadioSelectionError`` if that kind of radio is not in this version.
  package static func open(_ selection: RadioSelection) throws(RadioSelectionError) -> any Radio {
    switch selection {
    case .hciTCP(let host, let port): return LiveRadio(host: host, port: port).radio
    case .hciUnix(let path): return LiveRadio(at: .unix(path: path)).radio
    case .hciUser(let index): return LiveRadio(at: .user(index: index)).radio
    case .bluez: throw missing(selection, "BlueZ")
    case .virtual(let scene): return try virtualRadio(scene)
    case .hciUART: throw missing(selection, "An HCI controller on a serial line")
    }
  }

  /// A radio among virtual devices, by the wall clock, for as long as the process lives.
  private static func virtualRadio(_ path: String?) throws(RadioSelectionError) -> any Radio {
    guard let path else {
      let world = World.live()
      world.addDemoDevices()
      return world.radio
    }
    do throws(SceneError) {
      let scene = try Scene(contentsOf: path)
      let world = World.live()
      world.load(scene: scene)
      return world.radio
    } catch {
      throw RadioSelectionError(description: "The scene can not be used: \(error)")
    }
  }

  private static func missing(_ selection: RadioSelection, _ what: String) -> RadioSelectionError {
    RadioSelectionError(
      description: "\(what) (“\(selection)”) is not in this version of Halcyon. Use \(RadioSelection.forms)."
    )
  }
}
