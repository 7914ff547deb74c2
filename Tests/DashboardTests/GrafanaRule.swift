/// What a dashboard must be so that file provisioning takes it and every panel has something to show.
struct GrafanaRule {
  private let dashboard: JSON
  private let contract: TopicContract

  /// What is wrong with a dashboard, in sentences.
  static func problems(of dashboard: JSON, contract: TopicContract = .ours) -> [String] {
    let rule = GrafanaRule(dashboard: dashboard, contract: contract)
    return rule.frame + rule.variables + rule.layout + rule.panels.flatMap(rule.problems)
  }

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
    if dashboard["refresh"].text != "" { found.append("refreshes, which ends live streams") }
    if dashboard["time"]["from"].text != "now-5m" { found.append("long ranges show nothing live") }
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

  private static let panelTypes: Set<String> = [
    "gauge", "logs", "stat", "state-timeline", "table", "timeseries",
  ]

  private func problems(of panel: JSON) -> [String] {
    let title = panel["title"].text ?? ""
    var found: [String] = []
    if title.isEmpty { found.append("no title") }
    if panel["description"].text?.isEmpty != false { found.append("no description") }
    if panel["fieldConfig"]["defaults"]["unit"].text?.isEmpty != false { found.append("no unit") }
    if !Self.panelTypes.contains(panel["type"].text ?? "") { found.append("panel type") }
    let sources = [panel["datasource"]] + panel["targets"].list.map { $0["datasource"] }
    for source in sources where source["uid"].text?.wholeMatch(of: /\$\{\w+_ds\}/) == nil {
      found.append("a data source that is no variable")
    }
    let targets = panel["targets"].list
    if targets.count != 1 { found.append("\(targets.count) queries; the MQTT source streams one") }
    for target in targets {
      let topic = target["topic"].text ?? ""
      guard let keys = contract.keys(of: topic) else {
        found.append("no topic \(topic)")
        continue
      }
      found += Self.fields(of: panel).subtracting(keys).sorted().map { "no field \($0) on \(topic)" }
    }
    return found.map { "\(title): \($0)" }
  }

  /// Fields that overrides, transformations and options of a panel name.
  private static func fields(of panel: JSON) -> Set<String> {
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
}
