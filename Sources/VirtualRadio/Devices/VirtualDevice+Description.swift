import BluetoothTypes
import HostStack
import RadioPort
import Synchronization

extension VirtualDevice {
  /// What a device is made of.
  ///
  /// What is described and can not be is left out or left as it is, as said at each part, and
  /// ``DeviceHandle/problems`` tells of it. A scene is refused instead.
  public struct Description: Sendable {
    /// The name that it advertises and that its Generic Access service tells.
    public var name: String
    /// What it looks like.
    public var appearance: Appearance
    /// Its address; `nil` for a static random one that follows from the world's seed and the name. Any address is taken
    /// as it is: a random one that is not static makes a device that can not be known again, and of two devices with the
    /// same one centrals hear now the one, now the other.
    public var address: BluetoothAddress?
    /// Where it is.
    public var position: RadioPosition
    /// The power that it sends with, in dBm.
    public var transmitPower: Int8

    /// The services that it advertises. Those for which there is no room are left out.
    public var advertisedServices: [ServiceID]
    /// What it advertises in the terms of a company; `nil` for nothing. Left out if there is no room.
    public var manufacturerData: ManufacturerData?
    /// More that it advertises, behind the rest, as far as there is room.
    public var moreAdvertisingData: [ADStructure]
    /// The time from one advertisement to the next, 20 ms to 10.24 s, to which each time up to 10 ms are added by chance.
    public var advertisingInterval: Duration
    /// Whether centrals can connect.
    public var isConnectable: Bool
    /// Whether it goes on advertising while a central is connected, for others.
    public var advertisesWhileConnected: Bool

    /// The longest ATT PDU that it takes, 23 to 517 bytes.
    public var mtu: Int
    /// Whether it asks each central for a longer MTU itself.
    public var requestsMTU: Bool
    /// Whether it shows a hash of its services, and what goes with that (Core 5.4, Vol 3, Part G, 7.3). Devices that were
    /// made before that was thought of have none: centrals discover their services with each connection.
    public var hasDatabaseHash: Bool

    /// What it serves behind Generic Access and Generic Attribute, which it always has. A service for which there are not
    /// enough handles is left out.
    public var services: [Service]
    /// The L2CAP channels that clients can open.
    public var channels: [Channel]

    /// A device; by default one that serves nothing of its own.
    public init(
      name: String,
      appearance: Appearance = .unknown,
      address: BluetoothAddress? = nil,
      position: RadioPosition = RadioPosition(x: 1),
      transmitPower: Int8 = 0,
      advertisedServices: [ServiceID] = [],
      manufacturerData: ManufacturerData? = nil,
      moreAdvertisingData: [ADStructure] = [],
      advertisingInterval: Duration = .milliseconds(100),
      isConnectable: Bool = true,
      advertisesWhileConnected: Bool = false,
      mtu: Int = 247,
      requestsMTU: Bool = false,
      hasDatabaseHash: Bool = true,
      services: [Service] = [],
      channels: [Channel] = []
    ) {
      self.name = name
      self.appearance = appearance
      self.address = address
      self.position = position
      self.transmitPower = transmitPower
      self.advertisedServices = advertisedServices
      self.manufacturerData = manufacturerData
      self.moreAdvertisingData = moreAdvertisingData
      self.advertisingInterval = advertisingInterval
      self.isConnectable = isConnectable
      self.advertisesWhileConnected = advertisesWhileConnected
      self.mtu = mtu
      self.requestsMTU = requestsMTU
      self.hasDatabaseHash = hasDatabaseHash
      self.services = services
      self.channels = channels
    }
  }

  /// One service of a device. Copies of it are the same service; the same UUID twice makes two.
  public struct Service: Sendable {
    /// What kind of service it is.
    public var uuid: BluetoothUUID
    /// Whether it is found by itself; a secondary service is found only through those that include it.
    public var isPrimary: Bool
    /// The services that it includes. One that does not stand among the device's services is placed in front of it.
    public var includes: [Service]
    /// What it holds.
    public var characteristics: [Characteristic]
    let identity = Identity()

    /// Makes a service.
    public init(
      _ service: ServiceID,
      isPrimary: Bool = true,
      includes: [Service] = [],
      characteristics: [Characteristic] = []
    ) {
      uuid = service.uuid
      self.isPrimary = isPrimary
      self.includes = includes
      self.characteristics = characteristics
    }
  }

  /// One characteristic of a device. Copies of it are the same one; the same UUID twice makes two.
  public struct Characteristic: Sendable {
    /// Gives the value to a client that reads it, or the error that the client gets.
    public typealias ReadHandler = @Sendable (VirtualDevice) throws(ATTErrorCode) -> [UInt8]
    /// Takes a value that a client has written, or throws the error that the client gets. The value is kept after that.
    public typealias WriteHandler = @Sendable ([UInt8], VirtualDevice) throws(ATTErrorCode) -> Void
    /// Gives the next value to send; `nil` to leave it out this time.
    public typealias NextValue = @Sendable (VirtualDevice) -> [UInt8]?
    /// Hears how many clients have subscribed, after each change.
    public typealias SubscriptionHandler = @Sendable (Int, VirtualDevice) -> Void

    /// What it is.
    public var uuid: BluetoothUUID
    /// What its declaration says that it allows.
    public var properties: CharacteristicProperties
    /// What is really allowed; `nil` for what the properties say.
    public var permissions: Permissions?
    /// The value at first; one of more than 512 bytes is against the specification, and is served as it is.
    public var value: [UInt8]
    /// Its user description; `nil` for none.
    public var userDescription: String?
    /// Its descriptors but for those that follow from the rest: configuration, user description, extended properties.
    public var descriptors: [Descriptor]

    /// Answers reads instead of the value that is kept.
    public var onRead: ReadHandler?
    /// Judges writes.
    public var onWrite: WriteHandler?
    /// Hears of subscriptions.
    public var onSubscription: SubscriptionHandler?
    /// How often a value is sent while somebody has subscribed; `nil` if none is sent by itself. Nobody can subscribe
    /// without one of the properties notify and indicate.
    public var interval: Duration?
    /// Gives the values that are sent; without it, the one that is kept.
    public var next: NextValue?
    let identity = Identity()

    /// Makes a characteristic with a value that stays until it is written or set.
    public init(
      _ uuid: BluetoothUUID,
      _ properties: CharacteristicProperties,
      permissions: Permissions? = nil,
      value: [UInt8] = [],
      userDescription: String? = nil,
      descriptors: [Descriptor] = [],
      onRead: ReadHandler? = nil,
      onWrite: WriteHandler? = nil,
      onSubscription: SubscriptionHandler? = nil
    ) {
      self.uuid = uuid
      self.properties = properties
      self.permissions = permissions
      self.value = value
      self.userDescription = userDescription
      self.descriptors = descriptors
      self.onRead = onRead
      self.onWrite = onWrite
      self.onSubscription = onSubscription
    }

    /// Makes a characteristic that sends a value at each `interval` while somebody has subscribed.
    public init(
      _ uuid: BluetoothUUID,
      _ properties: CharacteristicProperties = .notify,
      permissions: Permissions? = nil,
      value: [UInt8] = [],
      every interval: Duration,
      _ next: @escaping NextValue
    ) {
      self.init(uuid, properties, permissions: permissions, value: value)
      self.interval = interval
      self.next = next
    }
  }

  /// One descriptor of a characteristic.
  public struct Descriptor: Sendable {
    /// What it is.
    public var uuid: BluetoothUUID
    /// Its value at first.
    public var value: [UInt8]
    /// What is allowed.
    public var permissions: Permissions

    /// Makes a descriptor.
    public init(_ uuid: BluetoothUUID, value: [UInt8], permissions: Permissions = .read) {
      self.uuid = uuid
      self.value = value
      self.permissions = permissions
    }
  }

  /// What a link must offer before an attribute may be used (Core 5.4, Vol 3, Part F, 3.2.5).
  public struct Permissions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Permissions from their bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// May be read.
    public static let read = Self(AttributePermissions.read)
    /// May be written.
    public static let write = Self(AttributePermissions.write)
    /// Reading needs an encrypted link.
    public static let encryptedRead = Self(AttributePermissions.encryptedRead)
    /// Writing needs an encrypted link.
    public static let encryptedWrite = Self(AttributePermissions.encryptedWrite)
    /// Reading needs a link with an authenticated key.
    public static let authenticatedRead = Self(AttributePermissions.authenticatedRead)
    /// Writing needs a link with an authenticated key.
    public static let authenticatedWrite = Self(AttributePermissions.authenticatedWrite)

    private init(_ permissions: AttributePermissions) { self.init(rawValue: permissions.rawValue) }
    var attributePermissions: AttributePermissions { AttributePermissions(rawValue: rawValue) }
  }

  /// Tells apart what looks alike; copies keep it.
  final class Identity: Sendable {}
}
