// swift-tools-version: 6.2

import PackageDescription

// A package of its own, so that the product never builds what only measures it.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "ImmutableDataWeb", path: ".."),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
  ],
  targets: [
    .executableTarget(
      name: "Animals",
      dependencies: [
        .product(name: "AnimalsData", package: "ImmutableDataWeb"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]
    ),
    .executableTarget(
      name: "Boxes",
      dependencies: [.product(name: "HashTreeCollections", package: "swift-collections")]
    ),
    .executableTarget(
      name: "Changes",
      dependencies: [
        .product(name: "HTMLTemplates", package: "ImmutableDataWeb"),
        .product(name: "ImmutableData", package: "ImmutableDataWeb"),
        .product(name: "ImmutableRuntime", package: "ImmutableDataWeb"),
        .product(name: "ImmutableUI", package: "ImmutableDataWeb"),
      ]
    ),
    .executableTarget(
      name: "Differences",
      dependencies: [
        .product(name: "DeveloperTools", package: "ImmutableDataWeb"),
        .product(name: "ImmutableData", package: "ImmutableDataWeb"),
      ]
    ),
    .executableTarget(
      name: "Dispatches",
      dependencies: [
        .product(name: "CounterData", package: "ImmutableDataWeb"),
        .product(name: "ImmutableData", package: "ImmutableDataWeb"),
      ]
    ),
    .executableTarget(
      name: "ElementCollections",
      dependencies: [
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "QuakesData", package: "ImmutableDataWeb"),
      ]
    ),
    .executableTarget(
      name: "Folding",
      dependencies: [
        .product(name: "ActionLogs", package: "ImmutableDataWeb"),
        .product(name: "CounterData", package: "ImmutableDataWeb"),
        .product(name: "ImmutableData", package: "ImmutableDataWeb"),
        .product(name: "Replication", package: "ImmutableDataWeb"),
      ]
    ),
    .executableTarget(
      name: "Frames",
      dependencies: [
        .product(name: "HTMLTemplates", package: "ImmutableDataWeb"),
        .product(name: "ImmutableData", package: "ImmutableDataWeb"),
        .product(name: "ImmutableRuntime", package: "ImmutableDataWeb"),
        .product(name: "ImmutableUI", package: "ImmutableDataWeb"),
      ]
    ),
    .executableTarget(
      name: "Headline",
      dependencies: [
        .product(name: "DeveloperTools", package: "ImmutableDataWeb"),
        .product(name: "HTMLTemplates", package: "ImmutableDataWeb"),
        .product(name: "ImmutableData", package: "ImmutableDataWeb"),
        .product(name: "ImmutableServer", package: "ImmutableDataWeb"),
        .product(name: "ImmutableRuntime", package: "ImmutableDataWeb"),
        .product(name: "ImmutableUI", package: "ImmutableDataWeb"),
        .product(name: "Logging", package: "swift-log"),
      ]
    ),
    .executableTarget(
      name: "Quakes",
      dependencies: [
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "HTMLTemplates", package: "ImmutableDataWeb"),
        .product(name: "ImmutableData", package: "ImmutableDataWeb"),
        .product(name: "ImmutableServer", package: "ImmutableDataWeb"),
        .product(name: "ImmutableRuntime", package: "ImmutableDataWeb"),
        .product(name: "ImmutableUI", package: "ImmutableDataWeb"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "QuakesData", package: "ImmutableDataWeb"),
        .product(name: "QuakesUI", package: "ImmutableDataWeb"),
        .product(name: "SampleFeeds", package: "ImmutableDataWeb"),
      ]
    ),
    .executableTarget(
      name: "Templates",
      dependencies: [.product(name: "HTMLTemplates", package: "ImmutableDataWeb")]
    ),
  ],
  swiftLanguageModes: [.v6]
)
