// swift-tools-version: 6.2

import PackageDescription

// The code of five other texts on Bluetooth, written with Halcyon; README.md says which file answers which chapter.
let package = Package(
  name: "Seeds",
  platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [.package(name: "halcyon", path: "../..")],
  targets: [
    .executableTarget(
      name: "Seeds",
      dependencies: [
        .product(name: "Halcyon", package: "halcyon"),
        .product(name: "VirtualRadio", package: "halcyon"),
      ]
    ),
    .testTarget(
      name: "SeedsTests",
      dependencies: [
        "Seeds",
        .product(name: "Halcyon", package: "halcyon"),
        .product(name: "VirtualRadio", package: "halcyon"),
        .product(name: "VirtualRadioTesting", package: "halcyon"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
