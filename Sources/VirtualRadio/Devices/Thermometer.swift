import BluetoothTypes
import GATTProfiles
import RadioPort
import Synchronization

/// A health thermometer: Health Thermometer Service 1.0, battery and device information.
///
/// It indicates a measurement at its measurement interval, which a client may write from 1 s to 1 h, and notifies an
/// intermediate temperature each second, both while somebody has subscribed. The temperature drifts slowly until the test
/// sets one.
public final class Thermometer: DeviceHandle {
  /// The measurement intervals that can be written, in seconds; 0 ends the measurements.
  public static let intervalRange = MeasurementIntervalRange(
    minimum: MeasurementInterval(seconds: 1),
    maximum: MeasurementInterval(seconds: 3600)
  )

  /// The device behind the handle.
  public let device: VirtualDevice
  private let probe: Probe

  init(_ device: VirtualDevice, _ probe: Probe) {
    self.device = device
    self.probe = probe
  }

  /// The temperature now, in degrees Celsius, to one hundredth.
  public var celsius: Double { probe.celsius(at: device.world.now) }

  /// Sets the temperature, which then stays.
  ///
  /// - Parameter celsius: In degrees Celsius; what is not a finite number makes the measurements fail, which the device
  ///   tells as "not a number".
  public func setTemperature(_ celsius: Double) { probe.set(celsius) }

  /// How often it measures; `nil` if it does not.
  public var measurementInterval: Duration? {
    (try? device.value(of: .measurementInterval)).flatMap { try? MeasurementInterval(bytes: $0) }?.duration
  }

  /// Whether somebody has subscribed to the measurements.
  public var isSubscribed: Bool { subscriberCount(of: .temperatureMeasurement) > 0 }
}

extension DeviceKind where Handle == Thermometer {
  /// A thermometer.
  ///
  /// - Parameters:
  ///   - name: What it advertises as.
  ///   - type: Where it measures.
  ///   - interval: How often it measures at first, in whole seconds.
  public static func thermometer(
    name: String,
    type: TemperatureType = .body,
    interval: MeasurementInterval = MeasurementInterval(seconds: 5)
  ) -> Self {
    Self { world in
      let probe = Probe(type)
      let device = VirtualDevice(Thermometer.description(name: name, probe, interval), in: world)
      probe.begin(device.chance(for: "temperature"), now: world.now)
      device.powerOn()
      return Thermometer(device, probe)
    }
  }
}

extension Thermometer {
  static func description(
    name: String,
    _ probe: Probe = Probe(.body),
    _ interval: MeasurementInterval = MeasurementInterval(seconds: 5)
  ) -> VirtualDevice.Description {
    VirtualDevice.Description(
      name: name,
      appearance: .thermometer,
      position: RadioPosition(x: 3),
      advertisedServices: [.healthThermometer],
      services: [
        probe.service(interval),
        Battery.service,
        DeviceInformation(model: "Thermometer 1", product: 2, name: name).service,
      ]
    )
  }
}

/// What the thermometer measures.
final class Probe: Sendable {
  private struct State: Sendable {
    var chance = SeededGenerator(seed: 0)
    var celsius = 36.8
    var isSet = false
    /// Until when the drift was computed.
    var time = RadioInstant.zero
  }

  private let type: TemperatureType
  private let state = Mutex(State())

  init(_ type: TemperatureType) { self.type = type }

  func begin(_ chance: SeededGenerator, now: RadioInstant) {
    state.withLock { state in
      state.chance = chance
      state.celsius = 36.4 + state.chance.unit() * 0.6
      state.time = now
    }
  }

  func set(_ celsius: Double) {
    state.withLock { state in
      state.celsius = celsius
      state.isSet = true
    }
  }

  /// The temperature, which has drifted since it was last asked for. It takes one step a minute, so that it does not
  /// depend on how often anybody asks.
  func celsius(at now: RadioInstant) -> Double {
    state.withLock { state in
      let step = Duration.seconds(60)
      if state.isSet { return state.celsius }
      while state.time.advanced(by: step) <= now {
        state.time = state.time.advanced(by: step)
        let drifted = state.celsius + state.chance.normal(deviation: 0.05)
        // It tends back to what is usual, so that it neither freezes nor boils.
        state.celsius = drifted + (36.8 - drifted) * 0.02
      }
      return (state.celsius * 100).rounded() / 100
    }
  }

  private func measurement(at now: RadioInstant) -> TemperatureMeasurement {
    let celsius = celsius(at: now)
    return TemperatureMeasurement(MedFloat32(celsius.isFinite ? celsius : .nan), type: type)
  }

  // MARK: The service

  func service(_ interval: MeasurementInterval) -> VirtualDevice.Service {
    let first = Thermometer.intervalRange.contains(interval) ? interval : MeasurementInterval(seconds: 5)
    var measurement = VirtualDevice.Characteristic(.temperatureMeasurement, .indicate)
    measurement.interval = first.duration
    measurement.next = { device in self.measurement(at: device.world.now).bytes }
    return VirtualDevice.Service(
      .healthThermometer,
      characteristics: [
        measurement,
        VirtualDevice.Characteristic(.temperatureType, .read, value: type.bytes),
        VirtualDevice.Characteristic(.intermediateTemperature, every: .seconds(1)) { device in
          self.measurement(at: device.world.now).bytes
        },
        Self.intervalCharacteristic(first),
      ]
    )
  }

  private static func intervalCharacteristic(_ first: MeasurementInterval) -> VirtualDevice.Characteristic {
    VirtualDevice.Characteristic(
      .measurementInterval,
      [.read, .write, .indicate],
      value: first.bytes,
      // Valid Range (Health Thermometer Service 1.0, 3.4.2).
      descriptors: [VirtualDevice.Descriptor(BluetoothUUID(UInt16(0x2906)), value: Thermometer.intervalRange.bytes)],
      onWrite: { (written, device) throws(ATTErrorCode) in
        guard written.count == 2, let interval = try? MeasurementInterval(bytes: written) else {
          throw .invalidAttributeValueLength
        }
        guard Thermometer.intervalRange.contains(interval) else { throw .measurementIntervalOutOfRange }
        try? device.setInterval(interval.duration, of: .temperatureMeasurement)
      }
    )
  }
}

extension MeasurementIntervalRange {
  /// Whether a thermometer with this range takes an interval; it can always be told not to measure by itself.
  fileprivate func contains(_ interval: MeasurementInterval) -> Bool {
    interval == .notPeriodic || minimum.rawValue...max(minimum.rawValue, maximum.rawValue) ~= interval.rawValue
  }
}
