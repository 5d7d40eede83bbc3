// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "FirstLight",
  platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [.package(name: "halcyon", path: "../..")],
  targets: [
    .executableTarget(
      name: "FirstLight",
      dependencies: [
        .product(name: "Halcyon", package: "halcyon"),
        .product(name: "VirtualRadio", package: "halcyon"),
      ]
    ),
    // readme: begin
    .testTarget(
      name: "FirstLightTests",
      dependencies: [
        "FirstLight",
        .product(name: "Halcyon", package: "halcyon"),
        .product(name: "VirtualRadio", package: "halcyon"),
        .product(name: "VirtualRadioTesting", package: "halcyon"),
      ]
    ),
    // readme: end
  ],
  swiftLanguageModes: [.v6]
)
