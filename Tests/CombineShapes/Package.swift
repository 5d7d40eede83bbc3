// swift-tools-version: 6.2

import PackageDescription

// Compiles the Combine layer of Halcyon on Linux and tests it, over a module that has the shapes of Apple's Combine and
// its name. It is a package of its own, so that nobody who uses Halcyon ever sees that module.
let package = Package(
  name: "CombineShapes",
  dependencies: [.package(name: "halcyon", path: "../..")],
  targets: [
    .target(name: "Combine"),
    .target(
      name: "HalcyonCombine",
      dependencies: ["Combine", .product(name: "Halcyon", package: "halcyon")],
      swiftSettings: [.define("HALCYON_COMBINE_SHAPES")]
    ),
    .testTarget(
      name: "CombineTests",
      dependencies: [
        "Combine", "HalcyonCombine",
        .product(name: "Halcyon", package: "halcyon"),
        .product(name: "VirtualRadio", package: "halcyon"),
        .product(name: "VirtualRadioTesting", package: "halcyon"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
