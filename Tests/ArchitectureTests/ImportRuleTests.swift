import Testing

@Suite struct ImportRuleTests {
  @Test func `imports point down only`() {
    #expect(ImportRule.violations(in: Repository.sources, rows: ImportTable.rows) == [])
  }

  @Test func `the manifest gives no target more than the table allows`() {
    #expect(ImportRule.violations(inManifest: Repository.text("Package.swift"), rows: ImportTable.rows) == [])
  }

  @Test func `table, manifest and folders name the same targets`() {
    let manifest = Set(ImportRule.dependencies(inManifest: Repository.text("Package.swift")).keys)
    let folders = Set(Repository.sources.map(\.target))
    #expect(manifest == Set(ImportTable.rows.keys))
    #expect(folders == manifest)
  }

  @Test func `the bans that targets exist for stand in the table`() throws {
    let rows = ImportTable.rows
    let fleet = try #require(rows["Fleet"]?.all)
    #expect(fleet.isDisjoint(with: ["BlueZ", "DBus", "Mosquitto", "MetaMotion", "Simulator"]))
    let simulator = try #require(rows["Simulator"]?.all)
    #expect(!simulator.contains("MetaMotion"), "the oracle may not share the codec")
    let families = try #require(rows["MetaMotion"]?.all)
    #expect(families == ["FleetModel", "BoardKit", "CZlib"])
    for (library, owner) in [
      ("CCurl", "Curl"), ("CDBus", "DBus"), ("CMicrohttpd", "Web"), ("CMosquitto", "Mosquitto"),
      ("COpenSSL", "Mosquitto"),
      ("CPage", "Web"), ("CZlib", "MetaMotion"), ("GRDB", "Storage"), ("Yams", "metafleet"),
    ] {
      #expect(rows.filter { $0.value.all.contains(library) }.map(\.key) == [owner])
    }
    #expect(rows.filter { $0.value.all.contains("Foundation") }.map(\.key) == ["metafleet"])
    for pure in ["FleetModel", "BoardKit", "Dialects", "MetaMotion"] {
      #expect(rows[pure]?.others.isSubset(of: ["Synchronization"]) == true, "\(pure) does no I/O")
    }
  }

  @Test func `imports form no circle`() {
    var left = ImportTable.rows.mapValues { $0.ours.subtracting(ImportTable.headers) }
    while let free = left.first(where: { $0.value.isDisjoint(with: left.keys) })?.key { left[free] = nil }
    #expect(left.isEmpty)
  }

  @Test(arguments: [
    "import BlueZ", "package import BlueZ", "@preconcurrency import BlueZ", "@testable internal import BlueZ",
    "import struct BlueZ.Radio",
  ])
  func `a forbidden import is found`(line: String) {
    let file = SourceFile(path: "Sources/Fleet/Planted.swift", text: "import FleetModel\n\(line)\n")
    #expect(
      ImportRule.violations(in: [file], rows: ImportTable.rows) == [
        Violation(file.path, "Fleet may not import BlueZ")
      ])
  }

  @Test func `an import in a comment or a literal is none`() {
    let text = "// import BlueZ\nlet a = \"\"\"\n  import BlueZ\n  \"\"\"\n"
    let file = SourceFile(path: "Sources/Fleet/Planted.swift", text: text)
    #expect(ImportRule.violations(in: [file], rows: ImportTable.rows) == [])
  }

  @Test func `a forbidden dependency of the manifest is found`() {
    let manifest = """
      library("Fleet", ["FleetModel", "BlueZ", logging]),
      library("FleetModel"),
      library("Dialects", ["FleetModel", .product(name: "GRDB", package: "GRDB.swift")]),
      .executableTarget(
        name: "metafleet",
        dependencies: ["CDBus"]),
      """
    let messages = ImportRule.violations(inManifest: manifest, rows: ImportTable.rows).map(\.message)
    #expect(
      messages.sorted() == [
        "Dialects may not depend on GRDB", "Fleet may not depend on BlueZ",
        "metafleet may not depend on CDBus",
      ])
  }
}
