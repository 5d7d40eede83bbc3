// A product must exist on every platform, a module named CoreBluetooth of our own only where Apple's is missing.
@_exported import CoreBluetooth
