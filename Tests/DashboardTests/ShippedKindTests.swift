import Testing

@Suite struct ShippedKindTests {
  @Test(arguments: ShippedFiles.all)
  func `every shipped file is of a kind that has rules, keeps them and the contract`(path: String) throws {
    let kind = try #require(ShippedKind(of: path), "nothing holds \(path) to the contract")
    #expect(try kind.problems(of: ShippedFiles.text(path)) == [], "\(path)")
  }

  @Test func `there is something of every kind`() {
    #expect(Set(ShippedFiles.all.compactMap { ShippedKind(of: $0) }).count == ShippedKind.allCases.count)
  }

  @Test(arguments: [
    "grafana/board.json", "prometheus/more.yml", "node-red/flows_cred.js", "telegraf/old.toml",
  ])
  func `a file that nobody expects is found out`(path: String) {
    #expect(ShippedKind(of: path) == nil)
  }

  /// Files of every kind with one name in them that is not published any more, each with a word of its problem.
  static let renamed: [(path: String, old: String, new: String, word: String)] = [
    (
      "grafana/dashboards/MetaFleet/fleet.json", "metafleet_board_rssi_dbm", "metafleet_board_rssi",
      "Boards: no metric"
    ),
    (
      "grafana/dashboards/MetaFleet/gateways.json", "condition!=", "state!=",
      "Condition of the disk: no label"
    ),
    (
      "grafana/dashboards/MetaFleet/logs.json", "{{name}} {{board}}", "{{name}} {{id}}",
      "Log used: no label id"
    ),
    ("grafana/dashboards/MetaFleet/fleet.json", "\"fw\": 5", "\"firmware\": 5", "Boards: no column firmware"),
    ("grafana/dashboards/MetaFleet/imu-live.json", "gx_dps", "gx_rads", "Angular velocity: no field gx_rads"),
    (
      "grafana/dashboards/MetaFleet/history-influxdb.json", "rssi_dbm", "rssi",
      "Signal strength: no field or tag rssi"
    ),
    (
      "grafana/dashboards/MetaFleet/history-influxdb.json", "FROM \\\"pressure\\\"", "FROM \\\"barometer\\\"",
      "Pressure: no measurement barometer"
    ),
    (
      "grafana/provisioning/datasources/metafleet.yaml", "${METAFLEET_MQTT_PASSWORD}", "secret",
      "holds a secret"
    ),
    ("grafana/provisioning/dashboards/metafleet.yaml", "type: file", "type: folder", "type is not file"),
    ("prometheus/prometheus.yml", "job_name: metafleet", "job_name: gateways", "no job metafleet"),
    (
      "prometheus/rules/alerts.yml", "metafleet_outbox_msgs", "metafleet_outbox_messages",
      "MetaFleetOutboxGrowing: no metric metafleet_outbox_messages"
    ),
    (
      "prometheus/rules/alerts.yml", "condition=\"low\"", "condition=\"little\"",
      "MetaFleetDiskLow: no condition little"
    ),
    (
      "prometheus/rules/alerts.yml", "$labels.adapter", "$labels.device",
      "MetaFleetAdapterDown: no label device"
    ),
    ("prometheus/rules/recording.yml", "rate(", "rat(", "no function rat"),
    ("prometheus/rules/recording.yml", "(job, board)", "(job, device)", "no label device"),
    ("prometheus/tests/boards.yml", "MetaFleetBatteryLow", "MetaFleetBattery", "no alert MetaFleetBattery"),
    ("telegraf/state.conf", "\"reason_code\"", "\"code\"", "no field code"),
    ("telegraf/samples-json.conf", "clock.err_ms", "clock.error_ms", "no field clock.error_ms"),
    (
      "telegraf/samples-json.conf", "        steps = \"int\"\n", "", "steps is whole here or in the catalogue"
    ),
    ("telegraf/samples-lp.conf", "/lp/", "/line/", "no topic"),
    ("home-assistant/package.yaml", "value_json.outbox_msgs", "value_json.outbox", "no field outbox"),
    ("home-assistant/package.yaml", "event/low-battery", "event/battery-low", "no topic"),
    ("home-assistant/package.yaml", "\"color\"", "\"colour\"", "led takes no colour"),
    (
      "home-assistant/cards.yaml", "sensor.demo_1_link", "sensor.demo_1_phase",
      "no entity sensor.demo_1_phase"
    ),
  ]

  @Test(arguments: renamed.indices)
  func `a renamed key is found out, and the panel, rule or node is named`(index: Int) throws {
    let (path, old, new, word) = Self.renamed[index]
    let text = try ShippedFiles.text(path)
    let kind = try #require(ShippedKind(of: path))
    let damaged = text.replacing(old, with: new)
    #expect(damaged != text, "\(path) does not say \(old)")
    let problems = try kind.problems(of: damaged)
    #expect(problems.contains { $0.contains(word) }, "\(path): \(problems)")
  }
}
