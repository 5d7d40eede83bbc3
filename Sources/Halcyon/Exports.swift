// `import Halcyon` is enough: the values that its API gives and takes come along.
@_exported import BluetoothTypes
@_exported import GATTProfiles

@_exported import struct RadioPort.AdvertisingRequest
@_exported import protocol RadioPort.CentralRadio
@_exported import struct RadioPort.ChannelOptions
@_exported import struct RadioPort.LinkAlerts
@_exported import enum RadioPort.LinkLatency
@_exported import struct RadioPort.LinkOptions
@_exported import protocol RadioPort.PeripheralRadio
@_exported import typealias RadioPort.Radio
@_exported import struct RadioPort.RadioClock
@_exported import struct RadioPort.RadioFailure
@_exported import struct RadioPort.RadioInstant
@_exported import struct RadioPort.RadioState
@_exported import struct RadioPort.SubscriptionModes
