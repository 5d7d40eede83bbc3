import BluetoothTypes
import GATTProfiles

// The characteristics of clocks and of serial lines, as names that hold for every device.

// Current Time Service 1.1, 3.
extension Characteristic where Value == CurrentTime {
  /// The time, notified when the clock was set.
  public static var currentTime: Self { .init(.currentTime, in: .currentTime) }
}

extension Characteristic where Value == LocalTimeInformation {
  /// Time zone and daylight saving time.
  public static var localTimeInformation: Self { .init(.localTimeInformation, in: .currentTime) }
}

extension Characteristic where Value == ReferenceTimeInformation {
  /// Where the time comes from.
  public static var referenceTimeInformation: Self { .init(.referenceTimeInformation, in: .currentTime) }
}

// Nordic UART Service.
extension Characteristic where Value == [UInt8] {
  /// What the device receives: write here.
  public static var nordicUARTReceive: Self { .init(.nordicUARTReceive, in: .nordicUART) }
  /// What the device transmits, notified: listen here.
  public static var nordicUARTTransmit: Self { .init(.nordicUARTTransmit, in: .nordicUART) }
}
