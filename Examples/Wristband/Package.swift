// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Wristband",
  platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [.package(name: "halcyon", path: "../..")],
  targets: [
    // The app and its program know CoreBluetooth and nothing else; HALCYON_RADIO names the radio.
    .target(name: "WristbandApp", dependencies: [.product(name: "CoreBluetooth", package: "halcyon")]),
    .executableTarget(name: "Wristband", dependencies: ["WristbandApp"]),
    .testTarget(
      name: "WristbandTests",
      dependencies: ["WristbandApp", .product(name: "VirtualRadio", package: "halcyon")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
