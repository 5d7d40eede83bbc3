import BluetoothTypes

/// A kind of device that can be added to a world, and with it the type of its handle.
///
/// Kinds of your own are made from a ``VirtualDevice/Description`` and a handle that wraps the device:
///
/// ```swift
/// extension DeviceKind where Handle == Scale {
///   static var scale: Self { Self { world in Scale(world.add(.custom(Scale.description))) } }
/// }
/// ```
public struct DeviceKind<Handle: Sendable>: Sendable {
  let make: @Sendable (World) -> Handle

  /// A kind from what makes its device in a world.
  public init(_ make: @escaping @Sendable (World) -> Handle) { self.make = make }
}

/// What every virtual device has: a name, an address, a place in the world, power, and who is connected.
///
/// What a handle shows is true at the moment of asking. What it does has happened when the call returns if the caller
/// runs in the world, as the body of a simulated world does; else it happens soon, in the order of the calls.
public protocol DeviceHandle: AnyObject, Sendable {
  /// The device behind the handle.
  var device: VirtualDevice { get }
}

/// Why a device could not do what it was told.
public struct DeviceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong; an open set.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    /// The name of the kind.
    public let rawValue: String
    /// A kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The device has no such characteristic.
    public static let unknown = Self(rawValue: "unknown")
    /// Several characteristics have this UUID; one has to be named by its handle.
    public static let ambiguous = Self(rawValue: "ambiguous")
    /// The value is longer than that of an attribute may be.
    public static let tooLong = Self(rawValue: "tooLong")
  }

  /// What went wrong.
  public let kind: Kind
  /// What was asked for, of which device, and what to do.
  public let description: String

  init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}
