import BluetoothTypes
import Halcyon
import RadioPort
import VirtualRadio

/// Connects a new central of the world's radio to the device at an address.
func connect(to device: some DeviceHandle, in world: World) async throws -> Peripheral {
  let central = Central(radio: world.radio)
  try await central.ready()
  return try await central.connect(to: PeerID(device.address))
}

/// The error that a piece of work ends with; `nil` if it ends well.
func bluetoothError(_ work: () async throws -> Void) async -> BluetoothError? {
  do {
    try await work()
    return nil
  } catch {
    return error as? BluetoothError
  }
}

/// A device with one service that holds a value to read, write and hear of, for tests of faults.
enum Echo {
  static let service = ServiceID("E0E00000-0000-4000-8000-000000000001")
  static let uuid: BluetoothUUID = "E0E00001-0000-4000-8000-000000000001"
  static let value = Characteristic<[UInt8]>(uuid, in: service)

  static func description(name: String = "Echo", mtu: Int = 247) -> VirtualDevice.Description {
    VirtualDevice.Description(
      name: name,
      advertisedServices: [service],
      mtu: mtu,
      services: [
        VirtualDevice.Service(
          service,
          characteristics: [
            VirtualDevice.Characteristic(uuid, [.read, .write, .writeWithoutResponse, .notify], value: [1, 2, 3])
          ]
        )
      ]
    )
  }
}
