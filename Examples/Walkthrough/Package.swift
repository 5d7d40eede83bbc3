// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "Walkthrough",
  platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [.package(name: "halcyon", path: "../..")],
  targets: [
    // The app: it knows CoreBluetooth and nothing else.
    .target(name: "WalkthroughApp", dependencies: [.product(name: "CoreBluetooth", package: "halcyon")]),
    // Lets two of the app meet in a virtual world.
    .executableTarget(
      name: "Walkthrough",
      dependencies: ["WalkthroughApp", .product(name: "VirtualRadio", package: "halcyon")]
    ),
    .testTarget(
      name: "WalkthroughTests",
      dependencies: ["WalkthroughApp", .product(name: "VirtualRadio", package: "halcyon")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
