// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "halcyon",
  platforms: [.iOS(.v18), .macOS(.v15), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Halcyon", targets: ["Halcyon"]),
    .library(name: "CoreBluetooth", targets: ["CoreBluetoothFacade"]),
    .library(name: "VirtualRadio", targets: ["VirtualRadio"]),
    .library(name: "VirtualRadioTesting", targets: ["VirtualRadioTesting"]),
    .library(name: "GATTProfiles", targets: ["GATTProfiles"]),
    .executable(name: "halcyon", targets: ["HalcyonCommand"]),
  ],
  targets: [
    .target(name: "BluetoothTypes"),
    .target(name: "GATTProfiles", dependencies: ["BluetoothTypes"]),
    .target(name: "RadioPort", dependencies: ["BluetoothTypes"]),
    .target(name: "HostStack", dependencies: ["BluetoothTypes", "RadioPort"]),
    .target(name: "HCITransport", dependencies: ["BluetoothTypes"]),
    .target(
      name: "VirtualRadio",
      dependencies: ["BluetoothTypes", "GATTProfiles", "RadioPort", "HostStack", "HCITransport"]
    ),
    .target(name: "VirtualRadioTesting", dependencies: ["VirtualRadio"]),
    .target(
      name: "SystemRadio",
      dependencies: ["BluetoothTypes", "RadioPort", "HostStack", "HCITransport", "VirtualRadio"]
    ),
    .target(
      name: "Halcyon",
      dependencies: [
        "BluetoothTypes", "GATTProfiles", "RadioPort", "SystemRadio",
        .target(
          name: "CoreBluetoothRadio",
          condition: .when(platforms: [.iOS, .macOS, .tvOS, .watchOS, .visionOS])
        ),
      ]
    ),
    .target(name: "CoreBluetooth", dependencies: ["BluetoothTypes", "RadioPort", "SystemRadio"]),
    .target(
      name: "CoreBluetoothFacade",
      dependencies: [.target(name: "CoreBluetooth", condition: .when(platforms: [.linux]))]
    ),
    .target(
      name: "CoreBluetoothRadio",
      dependencies: [
        "BluetoothTypes", "RadioPort",
        .target(name: "CoreBluetooth", condition: .when(platforms: [.linux])),
      ]
    ),
    .executableTarget(
      name: "HalcyonCommand",
      dependencies: [
        "Halcyon", "VirtualRadio", "SystemRadio", "HCITransport", "GATTProfiles", "RadioPort", "BluetoothTypes",
      ]
    ),
    .target(name: "Measurement", path: "Benchmarks/Measurement"),
    .executableTarget(
      name: "HalcyonBench",
      dependencies: ["Measurement", "VirtualRadio", "SystemRadio", "HostStack", "RadioPort", "BluetoothTypes"],
      path: "Benchmarks/HalcyonBench"
    ),
    .executableTarget(
      name: "HalcyonAPIBench",
      dependencies: ["Measurement", "Halcyon", "VirtualRadio"],
      path: "Benchmarks/HalcyonAPIBench"
    ),

    .testTarget(name: "BluetoothTypesTests", dependencies: ["BluetoothTypes"]),
    .testTarget(name: "GATTProfilesTests", dependencies: ["GATTProfiles", "BluetoothTypes"]),
    .testTarget(name: "RadioPortTests", dependencies: ["RadioPort", "VirtualRadio", "VirtualRadioTesting"]),
    .testTarget(name: "HostStackTests", dependencies: ["HostStack", "RadioPort", "BluetoothTypes"]),
    .testTarget(
      name: "HCITransportTests",
      dependencies: ["HCITransport", "SystemRadio", "HostStack", "RadioPort", "BluetoothTypes"]
    ),
    .testTarget(
      name: "VirtualRadioTests",
      dependencies: [
        "VirtualRadio", "VirtualRadioTesting", "HCITransport", "HostStack", "RadioPort", "BluetoothTypes",
      ]
    ),
    .testTarget(
      name: "CoreBluetoothTests",
      dependencies: [
        .target(name: "CoreBluetooth", condition: .when(platforms: [.linux])),
        "VirtualRadio", "VirtualRadioTesting", "SystemRadio", "HostStack", "RadioPort", "BluetoothTypes",
      ]
    ),
    .testTarget(
      name: "RadioLawTests",
      dependencies: [
        "CoreBluetoothRadio", "Halcyon",
        .target(name: "CoreBluetooth", condition: .when(platforms: [.linux])),
        "VirtualRadio", "VirtualRadioTesting", "HostStack", "RadioPort", "BluetoothTypes",
      ]
    ),
    .testTarget(
      name: "HalcyonTests",
      dependencies: [
        "Halcyon", "CoreBluetoothRadio",
        .target(name: "CoreBluetooth", condition: .when(platforms: [.linux])),
        "VirtualRadio", "VirtualRadioTesting", "GATTProfiles", "RadioPort", "SystemRadio", "HCITransport", "HostStack",
        "BluetoothTypes",
      ]
    ),
    .testTarget(
      name: "HalcyonCommandTests",
      dependencies: [
        "Halcyon", "HalcyonCommand", "VirtualRadio", "VirtualRadioTesting", "HCITransport", "SystemRadio", "HostStack",
        "RadioPort",
      ]
    ),
    .testTarget(
      name: "InteropTests",
      dependencies: [
        .target(name: "CoreBluetooth", condition: .when(platforms: [.linux])),
        "Halcyon", "HalcyonCommand", "VirtualRadio", "VirtualRadioTesting", "SystemRadio", "HCITransport", "HostStack",
        "RadioPort", "BluetoothTypes",
      ],
      exclude: ["Peers"]
    ),
  ],
  swiftLanguageModes: [.v6]
)
