// swift-tools-version: 5.9

import PackageDescription

// A package as others have them: it imports CoreBluetooth, and does not say where that comes from.
let package = Package(name: "Foreign", targets: [.executableTarget(name: "Foreign")])
