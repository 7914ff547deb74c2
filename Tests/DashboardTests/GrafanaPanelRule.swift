/// What a panel must be so that it has something to show, whatever it reads from.
struct GrafanaPanelRule {
  private let panel: JSON
  private let contract: TopicContract

  /// What is wrong with a panel, in sentences that begin with its title.
  static func problems(of panel: JSON, contract: TopicContract = .ours) -> [String] {
    let rule = GrafanaPanelRule(panel: panel, contract: contract)
    return (rule.frame + rule.reading).map { "\(panel["title"].text ?? ""): \($0)" }
  }

  private static let panelTypes: Set<String> = [
    "gauge", "logs", "stat", "state-timeline", "table", "timeseries",
  ]

  private var targets: [JSON] { panel["targets"].list }

  private var frame: [String] {
    var found: [String] = []
    if panel["title"].text?.isEmpty != false { found.append("no title") }
    if panel["description"].text?.isEmpty != false { found.append("no description") }
    if panel["fieldConfig"]["defaults"]["unit"].text?.isEmpty != false { found.append("no unit") }
    if !Self.panelTypes.contains(panel["type"].text ?? "") { found.append("panel type") }
    let sources = [panel["datasource"]] + targets.map { $0["datasource"] }
    for source in sources where source["uid"].text?.wholeMatch(of: /\$\{\w+_ds\}/) == nil {
      found.append("a data source that is no variable")
    }
    if Set(sources.map { $0["type"].text }).count > 1 { found.append("data sources of several kinds") }
    let names = targets.compactMap { $0["refId"].text }
    if names.isEmpty || Set(names).count != targets.count {
      found.append("queries without names of their own")
    }
    return found
  }

  private var reading: [String] {
    switch panel["datasource"]["type"].text {
    case "grafana-mqtt-datasource": topicProblems
    case "prometheus": metricProblems
    case "influxdb": targets.flatMap { InfluxQL.problems(of: $0["query"].text ?? "") } + influxAliases
    case let other: ["no rules for the data source \(other ?? "")"]
    }
  }

  // Topics.

  private var topicProblems: [String] {
    var found: [String] = []
    if targets.count != 1 { found.append("\(targets.count) queries; the MQTT source streams one") }
    for target in targets {
      let topic = target["topic"].text ?? ""
      guard let keys = contract.keys(of: topic) else {
        found.append("no topic \(topic)")
        continue
      }
      found += shownFields.subtracting(keys).sorted().map { "no field \($0) on \(topic)" }
    }
    return found
  }

  /// Fields that overrides, transformations and options name.
  private var shownFields: Set<String> {
    let overrides = panel["fieldConfig"]["overrides"].list.compactMap { $0["matcher"]["options"].text }
    let included = panel["transformations"].list.flatMap {
      $0["options"]["include"]["names"].list.compactMap(\.text)
    }
    let reduced = panel["options"]["reduceOptions"]["fields"].text.map {
      $0.matches(of: /\^(\w+)\$/).map { String($0.1) }
    }
    // The plug-in names the column of arrival times so.
    return Set(overrides + included + (reduced ?? [])).subtracting(["Time"])
  }

  // Metrics.

  private var metricProblems: [String] {
    let contract = PrometheusRule.contract
    var labels: Set<String> = []
    var found: [String] = []
    for target in targets {
      let query = target["expr"].text ?? ""
      found += PromQL.problems(of: query, contract: contract)
      let ofQuery = PromQL.labels(of: query, contract: contract)
      labels.formUnion(ofQuery)
      found += (target["legendFormat"].text ?? "").matches(of: /\{\{(\w+)\}\}/).map { String($0.1) }
        .filter { !ofQuery.contains($0) }.map { "no label \($0) for the legend" }
    }
    let columns = labels.union(["Time", "Value", "__name__"]).union(
      targets.compactMap { $0["refId"].text }.map { "Value #\($0)" })
    return found + columnsNamed.subtracting(columns).sorted().map { "no column \($0)" } + overridden
  }

  /// Columns that a table leaves out, orders or renames.
  private var columnsNamed: Set<String> {
    Set(
      panel["transformations"].list.map { $0["options"] }.flatMap { options in
        ["excludeByName", "indexByName", "renameByName"].flatMap { options[$0].members.keys }
      })
  }

  /// Overrides go by the names that columns are given.
  private var overridden: [String] {
    let given = panel["transformations"].list.flatMap { $0["options"]["renameByName"].members.values }
      .compactMap(\.text)
    return panel["fieldConfig"]["overrides"].list.compactMap { $0["matcher"]["options"].text }
      .filter { !given.contains($0) }.map { "no column \($0)" }
  }

  // Points.

  private var influxAliases: [String] {
    targets.flatMap { target -> [String] in
      let query = target["query"].text ?? ""
      return (target["alias"].text ?? "").matches(of: /\$tag_(\w+)/).map { String($0.1) }
        .filter { !query.contains("\"\($0)\"") }.map { "no tag \($0) in its groups" }
    }
  }
}
