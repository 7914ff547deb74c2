// swift-tools-version: 6.3
import PackageDescription

/// Every target of ours is compiled alike; a target exists only where the compiler must forbid an import.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

/// What `metafleet --version` says beside the version.
let commit = Context.gitInformation.map { $0.currentCommit + ($0.hasUncommittedChanges ? "+" : "") } ?? ""

let logging = Target.Dependency.product(name: "Logging", package: "swift-log")

/// `excluded` are folders of it that hold no Swift.
func library(
  _ name: String, _ dependencies: [Target.Dependency] = [], besides excluded: [String] = []
) -> Target {
  .target(name: name, dependencies: dependencies, exclude: excluded, swiftSettings: strict)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["Support", "VirtualTime"], resources: resources,
    swiftSettings: strict)
}

/// What a script below `Tests` builds for itself, with optimisation.
func tool(_ name: String, _ dependencies: [Target.Dependency], path: String) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: path, swiftSettings: strict)
}

/// Their scripts set `METAFLEET_TOOLS=1`; nobody else has to build them.
let tools: [Target] = [
  tool(
    "Benchmarks",
    [
      "BlueZ", "BoardKit", "Dialects", "EventLoops", "Fleet", "FleetModel", "MetaMotion", "Mosquitto",
      "Simulator", "Storage", "Support", "VirtualTime", logging,
    ], path: "Tests/Benchmarks/Programs"),
  tool(
    "VirtualDays",
    [
      "BoardKit", "Dialects", "Fleet", "FleetModel", "MetaMotion", "SeededFaults", "Simulator", "Storage",
      "Support", "VirtualTime",
    ], path: "Tests/VirtualDays/Programs"),
  tool("PlaySeeds", ["SeededFaults"], path: "Tests/SeededFaults/Program"),
  // Built with libFuzzer.
  .target(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
  tool(
    "Fuzz", ["BoardKit", "CFuzzer", "Dialects", "FleetModel", "MetaMotion", "Simulator", "VirtualTime"],
    path: "Tests/Fuzz/Programs"),
]

let package = Package(
  name: "MetaFleet",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "metafleet", targets: ["metafleet"]),
    .library(name: "FleetModel", targets: ["FleetModel"]),
    .library(name: "BoardKit", targets: ["BoardKit"]),
    .library(name: "MetaMotion", targets: ["MetaMotion"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // Headers of the system's C libraries, and the calls that Glibc's module lacks.
    .systemLibrary(
      name: "CDBus", pkgConfig: "dbus-1", providers: [.apt(["libdbus-1-dev"])]),
    .systemLibrary(
      name: "CMosquitto", pkgConfig: "libmosquitto", providers: [.apt(["libmosquitto-dev"])]),
    .systemLibrary(
      name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
      name: "CMicrohttpd", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "CLinux"),
    // The files of the page.
    .target(name: "CPage"),
    .target(name: "CBuild", cSettings: [.define("BUILD_COMMIT", to: "\"\(commit)\"")]),

    // The nouns, the two seams, the loop.
    library("FleetModel"),
    library("BoardKit", ["FleetModel"]),
    library("Dialects", ["FleetModel"]),
    library("EventLoops", ["CLinux"]),

    // Families and the outside world.
    library("MetaMotion", ["FleetModel", "BoardKit", "CZlib"]),
    library("DBus", ["EventLoops", "CDBus"]),
    library("Mosquitto", ["FleetModel", "Dialects", "EventLoops", "CMosquitto", "COpenSSL"]),
    library("Curl", ["EventLoops", "CCurl"]),
    library("Web", ["FleetModel", "EventLoops", "CMicrohttpd", "CPage"], besides: ["Page"]),
    library("Storage", ["FleetModel", "EventLoops", .product(name: "GRDB", package: "GRDB.swift")]),
    library("BlueZ", ["FleetModel", "BoardKit", "DBus", "EventLoops"]),

    // The fleet, and boards without hardware.
    library("Fleet", ["FleetModel", "BoardKit", "Dialects", "Storage", logging]),
    library("Simulator", ["FleetModel", "BoardKit", "DBus", "EventLoops"]),

    .executableTarget(
      name: "metafleet",
      dependencies: [
        "CBuild", "CLinux", "FleetModel", "BoardKit", "Dialects", "Curl", "EventLoops", "MetaMotion", "DBus",
        "Mosquitto",
        "Storage", "BlueZ", "Fleet", "Simulator", "Web", logging,
        .product(name: "Yams", package: "Yams"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    // A thread on which time moves only when nothing is left to do.
    .target(
      name: "VirtualTime", dependencies: ["EventLoops", "FleetModel"], path: "Tests/VirtualTime",
      swiftSettings: strict),
    // What several test targets need: clocks, scripted links, private buses and brokers. Nothing of the fleet or its
    // database, so that the tests of a family or a driver do not build them.
    .target(
      name: "Support",
      dependencies: ["FleetModel", "BoardKit", "Dialects", "EventLoops", "DBus", "VirtualTime"],
      path: "Tests/Support", swiftSettings: strict),
    // A fleet with everything going wrong around it, held against the invariants of the fault matrix.
    .target(
      name: "SeededFaults",
      dependencies: [
        "BoardKit", "Dialects", "Fleet", "FleetModel", "MetaMotion", "Simulator", "Storage", "Support",
        "VirtualTime", logging,
      ],
      path: "Tests/SeededFaults/World", swiftSettings: strict),
    tests("FleetModelTests", ["FleetModel"]),
    tests("BoardKitTests", ["BoardKit", "FleetModel"]),
    tests("DialectsTests", ["Dialects", "FleetModel"]),
    tests("EventLoopsTests", ["EventLoops"]),
    tests(
      "MetaMotionTests", ["MetaMotion", "BoardKit", "FleetModel"], resources: [.copy("Vectors")]),
    tests("DBusTests", ["DBus", "EventLoops"]),
    tests("MosquittoTests", ["Mosquitto", "Dialects", "FleetModel", "EventLoops"]),
    tests("CurlTests", ["Curl", "EventLoops"]),
    tests("WebTests", ["Web", "FleetModel", "EventLoops"]),
    tests(
      "StorageTests",
      [
        "Storage", "FleetModel", "EventLoops", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    tests("BlueZTests", ["BlueZ", "BoardKit", "FleetModel", "DBus", "EventLoops"]),
    tests("FleetTests", ["Fleet", "FleetModel", "BoardKit", "Dialects", "Storage"]),
    tests(
      "SimulatorTests", ["Simulator", "BoardKit", "FleetModel", "DBus", "EventLoops"],
      resources: [.copy("Vectors")]),
    tests(
      "CommandLineTests",
      [
        "metafleet", "Curl", "Fleet", "FleetModel", "BoardKit", "Dialects", "EventLoops", "DBus",
        "MetaMotion",
        "Simulator",
        "Storage", "Web", logging,
      ]),
    tests(
      "ScenarioTests",
      [
        "Fleet", "FleetModel", "BoardKit", "Dialects", "MetaMotion", "Simulator", "Storage",
        "BlueZ", "DBus", "EventLoops", "Mosquitto", "SeededFaults",
      ]),
    tests("ArchitectureTests", []),
    tests("DashboardTests", ["FleetModel", "Dialects", "Web", .product(name: "Yams", package: "Yams")]),
    tests("DeployTests", ["metafleet", "Fleet", "FleetModel", "Dialects"]),
  ] + (Context.environment["METAFLEET_TOOLS"] == "1" ? tools : [])
)
