// swift-tools-version: 5.9

import PackageDescription

// A package as others have them: it imports CoreBluetooth, and does not say where that comes from.
let package = Package(
  name: "band",
  products: [.library(name: "BandKit", targets: ["BandKit"])],
  targets: [
    .target(name: "BandKit"),
    .executableTarget(name: "band", dependencies: ["BandKit"]),
  ]
)
