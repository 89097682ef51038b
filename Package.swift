// swift-tools-version: 6.2

import PackageDescription

let package = Package(
  name: "ImmutableDataWeb",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "ImmutableData", targets: ["ImmutableData"]),
    .library(name: "ImmutableUI", targets: ["ImmutableUI"]),
    .library(name: "ImmutableRuntime", targets: ["ImmutableRuntime"]),
    .library(name: "ImmutableServer", targets: ["ImmutableServer"]),
    .library(name: "DeveloperTools", targets: ["DeveloperTools"]),
    .library(name: "ActionLogs", targets: ["ActionLogs"]),
    .library(name: "PostgreSQLLog", targets: ["PostgreSQLLog"]),
    .library(name: "Replication", targets: ["Replication"]),
    .library(name: "HTMLTemplates", targets: ["HTMLTemplates"]),
    .library(name: "DatabaseFiles", targets: ["DatabaseFiles"]),
    .library(name: "Pictures", targets: ["Pictures"]),
    .library(name: "PlainText", targets: ["PlainText"]),
    .library(name: "Services", targets: ["Services"]),
    .library(name: "WindowTesting", targets: ["WindowTesting"]),
    .library(name: "CounterData", targets: ["CounterData"]),
    .library(name: "CounterUI", targets: ["CounterUI"]),
    .library(name: "AnimalsData", targets: ["AnimalsData"]),
    .library(name: "AnimalsUI", targets: ["AnimalsUI"]),
    .library(name: "QuakesData", targets: ["QuakesData"]),
    .library(name: "QuakesUI", targets: ["QuakesUI"]),
    .library(name: "SampleFeeds", targets: ["SampleFeeds"]),
    .executable(name: "Server", targets: ["Server"]),
    .executable(name: "AnimalsDataServer", targets: ["AnimalsDataServer"]),
    .executable(name: "AnimalsDataClient", targets: ["AnimalsDataClient"]),
    .executable(name: "QuakesDataClient", targets: ["QuakesDataClient"]),
    .executable(name: "PictureShrinker", targets: ["PictureShrinker"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.3"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // The data layer: one Store, and the state of each product.
    .target(
      name: "ImmutableData",
      dependencies: [
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]
    ),
    .target(name: "CounterData", dependencies: ["ImmutableData"]),
    .target(
      name: "AnimalsData",
      dependencies: [
        "DatabaseFiles",
        "ImmutableData",
        "Pictures",
        "PlainText",
        "Services",
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
      ]
    ),
    .target(
      name: "QuakesData",
      dependencies: [
        "DatabaseFiles",
        "FeedScanning",
        "ImmutableData",
        "PlainText",
        "SampleFeeds",
        "Services",
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
      ]
    ),

    // Logs of actions that several servers share: in memory, and in PostgreSQL.
    .target(name: "ActionLogs", dependencies: ["ImmutableData"]),
    .systemLibrary(name: "CPostgreSQL", providers: [.apt(["libpq-dev"])]),
    .target(
      name: "PostgreSQLLog",
      dependencies: ["ActionLogs", "CPostgreSQL", "ImmutableData", "Pictures"]
    ),
    // Stores that fold one log, and so have the same states.
    .target(
      name: "Replication",
      dependencies: [
        "ActionLogs", "ImmutableData", .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]
    ),

    // Earthquake feeds: reading them and generating samples. They import none of our modules.
    .target(name: "FeedScanning"),
    .target(name: "SampleFeeds"),

    // SQLite files that only one process may use. Imports none of our modules.
    .target(
      name: "DatabaseFiles",
      dependencies: [
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
      ]
    ),

    // Text from other people: which characters are allowed, which names are valid, and what a search
    // finds in it. Imports none of our modules.
    .target(name: "PlainText"),

    // Pictures that people upload: their headers, and files that are named after their content.
    // Imports none of our modules.
    .target(name: "Pictures"),
    // Makes one small picture, in a process of its own. Imports none of our modules.
    .systemLibrary(name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
    .executableTarget(name: "PictureShrinker", dependencies: ["CVips"]),

    // Networking.
    .target(
      name: "Services",
      dependencies: [
        "PlainText",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPCompression", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ]
    ),

    // What products are written with: components, selectors, local state, forms. Knows no windows.
    .target(name: "HTMLTemplates"),
    .target(
      name: "ImmutableUI",
      dependencies: [
        "HTMLTemplates",
        "ImmutableData",
        "Pictures",
        "PlainText",
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "Logging", package: "swift-log"),
      ]
    ),
    // Renders and pushes products: pages, submissions, windows and patches. Knows no HTTP and no
    // product.
    .target(
      name: "ImmutableRuntime",
      dependencies: [
        "HTMLTemplates",
        "ImmutableData",
        "ImmutableUI",
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]
    ),
    // Shows developers what happens in the products of a window group.
    .target(
      name: "DeveloperTools",
      dependencies: [
        "HTMLTemplates", "ImmutableData", "ImmutableRuntime", "ImmutableUI", "PlainText",
        .product(name: "Crypto", package: "swift-crypto"),
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "Logging", package: "swift-log"),
      ]
    ),
    .target(name: "CounterUI", dependencies: ["CounterData", "ImmutableUI"]),
    .target(
      name: "AnimalsUI",
      dependencies: [
        "AnimalsData", "ImmutableUI", "PlainText",
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ]
    ),

    .target(
      name: "QuakesUI",
      dependencies: [
        "ImmutableUI", "PlainText", "QuakesData",
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ]
    ),

    // What both servers do with connections and requests: deadlines, limits, host names, the log.
    .target(
      name: "HTTPConnections",
      dependencies: [
        "PlainText",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]
    ),

    // HTTP. Knows no product.
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(
      name: "ImmutableServer",
      dependencies: [
        "CZlib",
        "HTMLTemplates",
        "HTTPConnections",
        "ImmutableData",
        "ImmutableRuntime",
        "ImmutableUI",
        "Pictures",
        "PlainText",
        "Replication",
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Metrics", package: "swift-metrics"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]
    ),
    .executableTarget(
      name: "Server",
      dependencies: [
        "ActionLogs",
        "AnimalsData",
        "AnimalsUI",
        "CounterData",
        "CounterUI",
        "DatabaseFiles",
        "DeveloperTools",
        "HTMLTemplates",
        "HTTPConnections",
        "ImmutableData",
        "ImmutableRuntime",
        "ImmutableServer",
        "ImmutableUI",
        "Pictures",
        "PlainText",
        "PostgreSQLLog",
        "QuakesData",
        "QuakesUI",
        "Replication",
        "Services",
        "Terminal",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]
    ),

    // Shared by the command line tools.
    .target(
      name: "Terminal",
      dependencies: [
        "PlainText",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ]
    ),

    // Serves the catalog of animals to other programs.
    .executableTarget(
      name: "AnimalsDataServer",
      dependencies: [
        "AnimalsData",
        "DatabaseFiles",
        "HTTPConnections",
        "Pictures",
        "PlainText",
        "Terminal",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]
    ),
    .executableTarget(
      name: "AnimalsDataClient",
      dependencies: [
        "AnimalsData", "PlainText", "Services", "Terminal",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]
    ),

    .executableTarget(
      name: "QuakesDataClient",
      dependencies: [
        "ImmutableData", "QuakesData", "Services", "Terminal",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ]
    ),

    // Drives windows without a browser, for tests of products.
    .target(
      name: "WindowTesting",
      dependencies: ["HTMLTemplates", "ImmutableRuntime", "ImmutableUI", "Pictures"]
    ),

    // A server with scripted responses, for tests of clients.
    .target(
      name: "AnsweringServer",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ],
      path: "Tests/AnsweringServer"
    ),

    // A PostgreSQL server that tests start and end.
    .target(name: "TestPostgreSQL", path: "Tests/TestPostgreSQL"),

    // Gates, transcripts, doubles and reproducible random numbers, for tests.
    .target(
      name: "TestSupport",
      dependencies: ["ImmutableData", .product(name: "Logging", package: "swift-log")],
      path: "Tests/TestSupport"
    ),

    // A product for tests of the library.
    .target(
      name: "Fixture",
      dependencies: [
        "HTMLTemplates", "ImmutableData", "ImmutableUI",
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ],
      path: "Tests/Fixture",
      exclude: ["Templates"]
    ),
    .executableTarget(
      name: "FixtureServer",
      dependencies: [
        "Fixture", "HTMLTemplates", "ImmutableData", "ImmutableRuntime", "ImmutableServer",
        "ImmutableUI",
      ],
      path: "Tests/FixtureServer"
    ),

    .testTarget(
      name: "ActionLogsTests",
      dependencies: [
        "ActionLogs", "ImmutableData", "Pictures", "PostgreSQLLog", "TestPostgreSQL", "TestSupport",
      ]
    ),
    .testTarget(
      name: "AnimalsDataTests",
      dependencies: [
        "AnimalsData", "AnimalsDataServer", "DatabaseFiles", "HTTPConnections",
        "ImmutableData", "Pictures", "PlainText", "Services", "TestSupport",
        .product(name: "Collections", package: "swift-collections"),
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
      ]
    ),
    .testTarget(
      name: "AnimalsUITests",
      dependencies: [
        "AnimalsData", "AnimalsUI", "HTMLTemplates", "ImmutableData", "ImmutableRuntime",
        "ImmutableUI", "WindowTesting",
      ]
    ),
    .testTarget(name: "ArchitectureTests", exclude: ["stored-collections.txt"]),
    .testTarget(name: "CounterDataTests", dependencies: ["CounterData"]),
    .testTarget(
      name: "CounterUITests",
      dependencies: [
        "CounterData", "CounterUI", "HTMLTemplates", "ImmutableData", "ImmutableRuntime",
        "ImmutableUI", "WindowTesting",
      ]
    ),
    .testTarget(
      name: "DeveloperToolsTests",
      dependencies: [
        "AnimalsData", "AnimalsUI", "CounterData", "CounterUI", "DeveloperTools", "HTMLTemplates",
        "ImmutableData", "ImmutableRuntime", "ImmutableUI", "QuakesData", "QuakesUI",
        "TestSupport", "WindowTesting",
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "Logging", package: "swift-log"),
      ]
    ),
    .testTarget(
      name: "DocumentationSnippets",
      dependencies: [
        "AnimalsData", "AnimalsUI", "CounterData", "CounterUI", "DatabaseFiles", "DeveloperTools",
        "HTMLTemplates", "ImmutableData", "ImmutableRuntime", "ImmutableServer", "ImmutableUI",
        "Pictures", "PlainText", "PostgreSQLLog", "Replication", "Services", "WindowTesting",
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ],
      // What documents print gives no warnings.
      swiftSettings: [.treatAllWarnings(as: .error)]
    ),
    .testTarget(
      name: "PreviewTests",
      dependencies: [
        "AnimalsData", "AnimalsUI", "CounterData", "CounterUI", "DeveloperTools", "HTMLTemplates",
        "ImmutableData", "ImmutableRuntime", "ImmutableUI", "QuakesData", "QuakesUI",
        "WindowTesting",
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["Snapshots"]
    ),
    .testTarget(
      name: "PicturesTests",
      dependencies: ["PictureShrinker", "Pictures", "TestSupport"]
    ),
    .testTarget(name: "PlainTextTests", dependencies: ["PlainText"]),
    .testTarget(name: "FeedScanningTests", dependencies: ["FeedScanning"]),
    .testTarget(
      name: "FuzzTests",
      dependencies: [
        "AnimalsData", "AnimalsUI", "CounterData", "CounterUI", "Fixture", "HTMLTemplates",
        "ImmutableData", "ImmutableRuntime", "ImmutableUI", "QuakesData", "QuakesUI", "TestSupport",
        "WindowTesting",
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ]
    ),
    .testTarget(name: "HTMLTemplatesTests", dependencies: ["HTMLTemplates", "TestSupport"]),
    .testTarget(
      name: "ImmutableDataTests",
      dependencies: [
        "ImmutableData", "TestSupport",
        .product(name: "HashTreeCollections", package: "swift-collections"),
      ]
    ),
    .testTarget(
      name: "ImmutableServerTests",
      dependencies: [
        "Fixture", "HTMLTemplates", "HTTPConnections", "ImmutableData", "ImmutableRuntime",
        "ImmutableServer", "ImmutableUI", "Pictures", "PlainText", "TestSupport",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "CoreMetrics", package: "swift-metrics"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]
    ),
    .testTarget(
      name: "ImmutableRuntimeTests",
      dependencies: [
        "Fixture", "HTMLTemplates", "ImmutableData", "ImmutableRuntime", "ImmutableUI",
        "TestSupport", "WindowTesting",
        .product(name: "Logging", package: "swift-log"),
      ]
    ),
    .testTarget(
      name: "ImmutableUITests",
      dependencies: [
        "Fixture", "HTMLTemplates", "ImmutableData", "ImmutableUI", "TestSupport",
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "Logging", package: "swift-log"),
      ]
    ),
    .testTarget(
      name: "QuakesDataTests",
      dependencies: [
        "AnsweringServer", "DatabaseFiles", "ImmutableData", "QuakesData", "SampleFeeds",
        "Services", "TestSupport",
        .product(name: "Collections", package: "swift-collections"),
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["Resources"]
    ),
    .testTarget(
      name: "QuakesUITests",
      dependencies: [
        "HTMLTemplates", "ImmutableData", "ImmutableRuntime", "ImmutableUI", "QuakesData",
        "QuakesUI", "TestSupport", "WindowTesting",
      ]
    ),
    .testTarget(
      name: "ReplicationTests",
      dependencies: [
        "ActionLogs", "CounterData", "CounterUI", "HTMLTemplates", "ImmutableData",
        "ImmutableRuntime", "ImmutableServer", "ImmutableUI", "PostgreSQLLog", "Replication",
        "TestPostgreSQL", "TestSupport",
        .product(name: "AsyncHTTPClient", package: "async-http-client"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "Tracing", package: "swift-distributed-tracing"),
      ]
    ),
    .testTarget(name: "SampleFeedsTests", dependencies: ["QuakesData", "SampleFeeds"]),
    .testTarget(
      name: "ServerTests",
      dependencies: [
        "DeveloperTools", "HTMLTemplates", "ImmutableData", "ImmutableRuntime", "ImmutableUI",
        "Server", "WindowTesting",
      ]
    ),
    .testTarget(name: "ServicesTests", dependencies: ["AnsweringServer", "Services"]),
  ],
  swiftLanguageModes: [.v6]
)

// `make release-unit` builds only the tests that it runs, and their dependencies.
if let names = Context.environment["ONLY_TESTS"]?.split(separator: " ") {
  package.targets.removeAll { target in
    target.type == .test && names.contains { $0 == target.name } == false
  }
}

for target in package.targets where target.type != .system {
  // Tests may be written as the guide's: with members of modules that they do not import, and
  // without `any`.
  guard target.type != .test else { continue }
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
}

// Where servers and tests spend their time. They are optimized in debug builds too: the browser tests start more than
// a thousand servers, and `-O` has had bugs of its own (docs/decisions.md), which all tests then look for. SwiftPM refuses
// such flags in a package that it has fetched.
let optimized = [
  "FeedScanning", "HTMLTemplates", "ImmutableData", "ImmutableRuntime", "ImmutableServer",
  "ImmutableUI", "Pictures", "PlainText", "SampleFeeds",
]
let isFetched = Context.packageDirectory.contains("/checkouts/")
for target in package.targets where isFetched == false && optimized.contains(target.name) {
  target.swiftSettings?.append(
    .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug)))
}
