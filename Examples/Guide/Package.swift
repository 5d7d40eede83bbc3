// swift-tools-version: 6.2

import PackageDescription

// The code of docs/guide: each chapter is a test here, and the pages show what stands between its marks.
let package = Package(
  name: "Guide",
  platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [.package(name: "halcyon", path: "../..")],
  targets: [
    .testTarget(
      name: "GuideTests",
      dependencies: [
        .product(name: "Halcyon", package: "halcyon"),
        .product(name: "VirtualRadio", package: "halcyon"),
        .product(name: "VirtualRadioTesting", package: "halcyon"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
