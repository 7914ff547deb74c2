import Testing

@Suite struct GrafanaRuleTests {
  static let paths = ShippedFiles.files(in: "grafana/dashboards", endingIn: ".json")

  @Test(arguments: paths)
  func `every dashboard keeps the rules and the contract`(path: String) throws {
    #expect(GrafanaRule.problems(of: try JSON(ShippedFiles.text(path))) == [])
  }

  @Test func `dashboards have different uids`() throws {
    let uids = try Self.paths.map { try JSON(ShippedFiles.text($0))["uid"].text }
    #expect(!uids.isEmpty && Set(uids).count == uids.count)
  }

  @Test func `a live panel shows acceleration of the demo's first board`() throws {
    let dashboard = try JSON(ShippedFiles.text("grafana/dashboards/MetaFleet/board.json"))
    let topics = dashboard["panels"].list.flatMap { $0["targets"].list }.compactMap { $0["topic"].text }
    #expect(topics.contains("${base}/board/${board}/live/acceleration"))
    let variables = Dictionary(
      dashboard["templating"]["list"].list.compactMap { variable in
        variable["name"].text.map { ($0, variable["query"].text) }
      }, uniquingKeysWith: { first, _ in first })
    #expect(variables["base"] == "metafleet")
    #expect(variables["board"] == "c0ffee000001")
    #expect(variables["gateway"] == "demo")
    #expect(variables["mqtt_ds"] == "grafana-mqtt-datasource")
  }

  /// Damages, each with a word of the problem it must raise.
  static let damages: [(String, @Sendable (inout JSON) -> Void)] = [
    ("uid", { $0["uid"] = .null }),
    ("server's", { $0["id"] = .number(7) }),
    ("schemaVersion", { $0["schemaVersion"] = .number(42) }),
    ("editable", { $0["editable"] = .bool(true) }),
    ("live streams", { $0["refresh"] = .text("5s") }),
    ("__inputs", { $0["__inputs"] = .list([]) }),
    ("not defined", { $0["templating"]["list"].list.removeLast() }),
    ("not used", { $0["templating"]["list"].list.append(.object(["name": .text("spare")])) }),
    ("ids", { $0["panels"].list[1]["id"] = $0["panels"].list[0]["id"] }),
    ("24 columns", { $0["panels"].list[0]["gridPos"]["x"] = .number(20) }),
    ("covers", { $0["panels"].list[1]["gridPos"] = $0["panels"].list[0]["gridPos"] }),
    ("no title", { $0["panels"].list[0]["title"] = .text("") }),
    ("no description", { $0["panels"].list[0]["description"] = .null }),
    ("no unit", { $0["panels"].list[0]["fieldConfig"]["defaults"]["unit"] = .null }),
    ("panel type", { $0["panels"].list[0]["type"] = .text("piechart") }),
    ("data source", { $0["panels"].list[0]["datasource"]["uid"] = .text("metafleet-mqtt") }),
    ("queries", { $0["panels"].list[0]["targets"].list += $0["panels"].list[0]["targets"].list }),
    (
      "no topic",
      { $0["panels"].list[0]["targets"].list[0]["topic"] = .text("${base}/board/${board}/sttae/${gateway}") }
    ),
    ("no field", { $0["panels"].list[0]["options"]["reduceOptions"]["fields"] = .text("/^stte$/") }),
  ]

  @Test(arguments: damages.indices)
  func `a damaged dashboard is found out`(index: Int) throws {
    var dashboard = try JSON(ShippedFiles.text("grafana/dashboards/MetaFleet/board.json"))
    let (word, damage) = Self.damages[index]
    damage(&dashboard)
    #expect(GrafanaRule.problems(of: dashboard).contains { $0.contains(word) }, "\(word)")
  }
}
