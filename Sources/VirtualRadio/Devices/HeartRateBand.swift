import BluetoothTypes
import GATTProfiles
import RadioPort
import Synchronization

/// A heart-rate band: Heart Rate Service 1.0, battery and device information.
///
/// While somebody has subscribed it notifies a measurement each second, with the times between the beats of that second.
/// The heart rate wanders as that of somebody on the move; the wearer expends energy also while nobody listens.
public final class HeartRateBand: DeviceHandle {
  /// The device behind the handle.
  public let device: VirtualDevice
  private let heart: Heart

  init(_ device: VirtualDevice, _ heart: Heart) {
    self.device = device
    self.heart = heart
  }

  /// The heart rate that was sent last, in beats per minute; `nil` before the first.
  public var beatsPerMinute: Int? { heart.lastMeasurement.map { Int($0.beatsPerMinute) } }

  /// The measurement that was sent last.
  public var lastMeasurement: HeartRateMeasurement? { heart.lastMeasurement }

  /// How many measurements were sent.
  public var measurementCount: Int { heart.measurementCount }

  /// The energy expended since the last reset, in kilojoules.
  public var energyExpended: Int { Int(heart.energy(at: device.world.now)) }

  /// How full the battery is.
  public var batteryLevel: BatteryLevel { Battery.level(after: device.world.now.sinceStart) }

  /// Whether somebody has subscribed to the measurements.
  public var isSubscribed: Bool { subscriberCount(of: .heartRateMeasurement) > 0 }

  /// Puts the band on or takes it off: the sensor has contact or not, and without it there are no beats.
  public func setContact(_ isDetected: Bool) { heart.setContact(isDetected) }

  /// Sets the heart rate, from which it wanders on.
  ///
  /// - Parameter beatsPerMinute: Brought into the range from 30 to 240.
  public func setBeatsPerMinute(_ beatsPerMinute: Int) { heart.setRate(beatsPerMinute) }
}

extension DeviceKind where Handle == HeartRateBand {
  /// A heart-rate band.
  ///
  /// - Parameters:
  ///   - name: What it advertises as.
  ///   - location: Where it is worn.
  public static func heartRateBand(name: String, location: BodySensorLocation = .chest) -> Self {
    Self { world in
      let heart = Heart()
      let device = VirtualDevice(HeartRateBand.description(name: name, heart, location), in: world)
      heart.begin(device.chance(for: "heart"), now: world.now)
      device.powerOn()
      return HeartRateBand(device, heart)
    }
  }
}

extension HeartRateBand {
  static func description(
    name: String,
    _ heart: Heart = Heart(),
    _ location: BodySensorLocation = .chest
  ) -> VirtualDevice.Description {
    VirtualDevice.Description(
      name: name,
      appearance: .heartRateBelt,
      advertisedServices: [.heartRate],
      services: [
        service(heart, location),
        Battery.service,
        DeviceInformation(model: "Band 1", product: 1, name: name).service,
      ]
    )
  }

  private static func service(_ heart: Heart, _ location: BodySensorLocation) -> VirtualDevice.Service {
    VirtualDevice.Service(
      .heartRate,
      characteristics: [
        VirtualDevice.Characteristic(.heartRateMeasurement, every: .seconds(1)) { device in
          heart.nextMeasurement(now: device.world.now).bytes
        },
        VirtualDevice.Characteristic(.bodySensorLocation, .read, value: location.bytes),
        VirtualDevice.Characteristic(
          .heartRateControlPoint,
          .write,
          onWrite: { (value, device) throws(ATTErrorCode) in
            guard value.count == 1 else { throw .invalidAttributeValueLength }
            guard value == HeartRateControlPoint.resetEnergyExpended.bytes else {
              throw .heartRateControlPointNotSupported
            }
            heart.resetEnergy(now: device.world.now)
          }
        ),
      ]
    )
  }
}

/// The heart that the band measures, and the wearer's effort.
final class Heart: Sendable {
  fileprivate struct State: Sendable {
    var chance = SeededGenerator(seed: 0)
    /// Makes the intervals between beats. Their count depends on the time, which must not change the course of the rate.
    var breath = SeededGenerator(seed: 0)
    /// The heart rate in beats per minute.
    var rate = 72.0
    /// Where the rate tends to.
    var goal = 72.0
    var hasContact = true
    /// When the next beat comes, in nanoseconds behind the last measurement.
    var nextBeat: Double = 0
    var measured = RadioInstant.zero
    var count = 0
    var last: HeartRateMeasurement?
    /// When the energy was last set back.
    var energyStart = RadioInstant.zero
  }

  private let state = Mutex(State())

  var lastMeasurement: HeartRateMeasurement? { state.withLock { $0.last } }
  var measurementCount: Int { state.withLock { $0.count } }

  func begin(_ chance: SeededGenerator, now: RadioInstant) {
    state.withLock { state in
      state.chance = chance
      state.rate = 65 + state.chance.unit() * 20
      var other = state.chance
      state.breath = SeededGenerator(seed: other.next())
      state.goal = state.rate
      state.energyStart = now
      state.measured = now
    }
  }

  func setContact(_ isDetected: Bool) { state.withLock { $0.hasContact = isDetected } }

  func setRate(_ beatsPerMinute: Int) {
    state.withLock { state in
      state.rate = Double(min(max(beatsPerMinute, 30), 240))
      state.goal = state.rate
    }
  }

  // MARK: Energy

  /// That of a brisk walk. It does not follow the heart rate, of which there is none while nobody listens.
  fileprivate static let kilojoulesPerSecond = 0.25

  func energy(at now: RadioInstant) -> UInt16 {
    state.withLock { Self.energy(since: $0.energyStart, now) }
  }

  fileprivate static func energy(since start: RadioInstant, _ now: RadioInstant) -> UInt16 {
    let seconds = max(0, start.duration(to: now).wholeNanoseconds) / 1_000_000_000
    // The field stays at its greatest value (Heart Rate Service 1.0, 3.1.1.3).
    return UInt16(min(Double(seconds) * kilojoulesPerSecond, 65535))
  }

  func resetEnergy(now: RadioInstant) { state.withLock { $0.energyStart = now } }

  // MARK: Measuring

  /// The measurement of the second that ends now.
  func nextMeasurement(now: RadioInstant) -> HeartRateMeasurement {
    state.withLock { state in
      let measurement = state.measure(now: now)
      state.last = measurement
      return measurement
    }
  }
}

extension Heart.State {
  fileprivate mutating func measure(now: RadioInstant) -> HeartRateMeasurement {
    count &+= 1
    wander()
    let energy = count.isMultiple(of: 10) ? Heart.energy(since: energyStart, now) : nil
    guard hasContact else {
      measured = now
      nextBeat = 0
      return HeartRateMeasurement(beatsPerMinute: 0, contact: .notDetected, energyExpended: energy)
    }
    return HeartRateMeasurement(
      beatsPerMinute: UInt16(rate.rounded()),
      contact: .detected,
      energyExpended: energy,
      rrIntervals: beats(until: now)
    )
  }

  /// The rate follows its goal slowly, and from time to time the wearer does something else.
  private mutating func wander() {
    if chance.below(20) == 0 { goal = 60 + chance.unit() * 100 }
    rate += (goal - rate) * 0.08 + chance.normal(deviation: 0.6)
    rate = min(max(rate, 40), 190)
  }

  /// The intervals that ended since the measurement before. After a pause nobody has counted the beats: only those of the
  /// last second count.
  private mutating func beats(until now: RadioInstant) -> [RRInterval] {
    let passed = min(Double(measured.duration(to: now).wholeNanoseconds), 1_500_000_000)
    measured = now
    var intervals: [RRInterval] = []
    var left = passed - nextBeat
    while left >= 0 {
      // Breathing and chance make the intervals differ a little.
      let interval = 60_000_000_000 / rate + breath.normal(deviation: 12_000_000)
      intervals.append(RRInterval(.nanoseconds(Int64(max(interval, 250_000_000)))))
      left -= max(interval, 250_000_000)
    }
    nextBeat = -left
    return intervals
  }
}
