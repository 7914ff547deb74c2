/// What a dashboard must be so that file provisioning takes it and every panel has something to show.
struct GrafanaRule {
  private let dashboard: JSON
  private let contract: TopicContract

  /// What is wrong with a dashboard, in sentences.
  static func problems(of dashboard: JSON, contract: TopicContract = .ours) -> [String] {
    let rule = GrafanaRule(dashboard: dashboard, contract: contract)
    return rule.frame + rule.variables + rule.queries + rule.layout
      + rule.panels.flatMap { GrafanaPanelRule.problems(of: $0, contract: contract) }
  }

  /// Data sources that dashboards read from.
  static let sources: Set<String> = ["grafana-mqtt-datasource", "influxdb", "prometheus"]

  private var panels: [JSON] { dashboard["panels"].list }
  private var variableNames: [String] { dashboard["templating"]["list"].list.compactMap { $0["name"].text } }

  private var frame: [String] {
    var found: [String] = []
    if dashboard["id"] != .null { found.append("id is the server's to give") }
    if dashboard["uid"].text?.isEmpty != false { found.append("no uid") }
    if dashboard["title"].text?.isEmpty != false { found.append("no title") }
    // Grafana 11.0 writes 39; newer servers migrate it, older ones do not have the MQTT data source.
    if dashboard["schemaVersion"].number != 39 { found.append("schemaVersion is not 39") }
    if dashboard["editable"] != .bool(false) { found.append("editable, though it comes from a file") }
    let isLive = panels.contains { $0["datasource"]["type"].text == "grafana-mqtt-datasource" }
    if isLive, dashboard["refresh"].text != "" { found.append("refreshes, which ends live streams") }
    if isLive, dashboard["time"]["from"].text != "now-5m" { found.append("long ranges show nothing live") }
    if !isLive, dashboard["refresh"].text?.isEmpty != false { found.append("stands still") }
    found += dashboard.texts.filter { $0.contains(/localhost|\d+\.\d+\.\d+\.\d+|https?:/) }.map {
      "names a computer: \($0)"
    }
    for word in ["__inputs", "__requires"] where dashboard[word] != .null {
      found.append("\(word) needs a dialogue")
    }
    return found
  }

  private var variables: [String] {
    let used = Set(
      dashboard.texts.flatMap { $0.matches(of: /\$\{(\w+)\}/).map { String($0.1) } })
    let defined = Set(variableNames)
    return used.subtracting(defined).sorted().map { "variable \($0) is not defined" }
      + defined.subtracting(used).sorted().map { "variable \($0) is not used" }
  }

  private var layout: [String] {
    var taken: Set<[Int]> = []
    var found: [String] = []
    let ids = panels.compactMap { $0["id"].number }
    if Set(ids).count != panels.count { found.append("panel ids are not unique") }
    for panel in panels {
      let title = panel["title"].text ?? "?"
      let place = ["x", "y", "w", "h"].compactMap { panel["gridPos"][$0].number.map { Int($0) } }
      guard place.count == 4, place[0] >= 0, place[1] >= 0, place[2] > 0, place[3] > 0,
        place[0] + place[2] <= 24
      else {
        found.append("\(title): not inside the 24 columns")
        continue
      }
      let cells = (place[0]..<place[0] + place[2]).flatMap { x in
        (place[1]..<place[1] + place[3]).map { [x, $0] }
      }
      if !taken.isDisjoint(with: cells) { found.append("\(title): covers another panel") }
      taken.formUnion(cells)
    }
    return found
  }

  /// What variables ask their data source for.
  private var queries: [String] {
    dashboard["templating"]["list"].list.filter { $0["type"].text == "query" }.flatMap {
      variable -> [String] in
      let query = variable["definition"].text ?? ""
      let asked = variable["query"]["query"].text ?? variable["query"].text
      let found =
        variable["datasource"]["type"].text == "influxdb"
        ? InfluxQL.problems(of: query) : Self.labelProblems(of: query)
      return (found + (asked == query ? [] : ["asks for something else than it says"])).map {
        "variable \(variable["name"].text ?? "?"): \($0)"
      }
    }
  }

  private static func labelProblems(of query: String) -> [String] {
    guard let match = query.wholeMatch(of: /label_values\((.+), (\w+)\)/) else { return ["no label_values"] }
    let labels = PromQL.labels(of: String(match.1), contract: PrometheusRule.contract)
    return PromQL.problems(of: String(match.1), contract: PrometheusRule.contract)
      + (labels.contains(String(match.2)) ? [] : ["no label \(match.2)"])
  }
}
