/// What rules for Prometheus, and their tests, must be: they name series that there are, and say what to do.
enum PrometheusRule {
  /// The series there are, those that rules record included.
  static let contract: MetricContract = {
    var contract = MetricContract.ours
    for rule in rules where rule["record"] != .null {
      contract.labels[rule["record"].text ?? ""] = PromQL.labels(
        of: rule["expr"].text ?? "", contract: contract)
    }
    return contract
  }()

  /// All rules of all files.
  static let rules: [JSON] = ShippedFiles.files(in: "prometheus/rules", endingIn: ".yml").flatMap { path in
    (try? JSON(yaml: ShippedFiles.text(path)))?["groups"].list.flatMap { $0["rules"].list } ?? []
  }

  /// What is wrong with a file of rules, in sentences.
  static func problems(ofRules file: JSON) -> [String] {
    file["groups"].list.flatMap { $0["rules"].list }.flatMap { rule in
      let name = rule["alert"].text ?? rule["record"].text ?? "?"
      return
        (PromQL.problems(of: rule["expr"].text ?? "", contract: contract)
        + (rule["alert"] == .null ? recording(name) : alert(rule))).map { "\(name): \($0)" }
    }
  }

  /// Level, metric and what was done to it, as Prometheus' documentation has it.
  private static func recording(_ name: String) -> [String] {
    let parts = name.split(separator: ":")
    guard parts.count == 3, ["board", "instance"].contains(String(parts[0])) else {
      return ["not level:metric:operations"]
    }
    let isKnown = MetricContract.ours.labels.keys.contains { $0.hasPrefix(parts[1]) }
    return isKnown ? [] : ["no metric \(parts[1])"]
  }

  private static func alert(_ rule: JSON) -> [String] {
    var found: [String] = []
    if rule["alert"].text?.hasPrefix("MetaFleet") != true { found.append("whose alert is it?") }
    if !["critical", "warning", "info"].contains(rule["labels"]["severity"].text ?? "") {
      found.append("severity")
    }
    for part in ["summary", "description"] where rule["annotations"][part].text?.isEmpty != false {
      found.append("no \(part)")
    }
    let labels = PromQL.labels(of: rule["expr"].text ?? "", contract: contract)
    for text in rule["annotations"].texts {
      found += text.matches(of: /\$labels\.(\w+)/).map { String($0.1) }.filter { !labels.contains($0) }.map {
        "no label \($0)"
      }
    }
    return found
  }

  /// What is wrong with a file of unit tests, in sentences.
  static func problems(ofTests file: JSON) -> [String] {
    let alerts = Set(rules.compactMap { $0["alert"].text })
    return file["tests"].list.flatMap { test -> [String] in
      let name = test["name"].text ?? "?"
      let series = test["input_series"].list.compactMap { $0["series"].text }
      return
        (series.flatMap { PromQL.problems(of: $0, contract: contract) }
        + test["alert_rule_test"].list.compactMap { $0["alertname"].text }.filter { !alerts.contains($0) }.map
      {
        "no alert \($0)"
      }
        + test["promql_expr_test"].list.compactMap { $0["expr"].text }.flatMap {
          PromQL.problems(of: $0, contract: contract)
        }).map { "\(name): \($0)" }
    }
  }

  /// What is wrong with the configuration, in sentences.
  static func problems(ofConfiguration file: JSON) -> [String] {
    var found: [String] = []
    let job = file["scrape_configs"].list.first { $0["job_name"].text == "metafleet" } ?? .null
    if job == .null { found.append("no job metafleet, by which alerts know gateways") }
    if job["metrics_path"].text != "/metrics" { found.append("the page is /metrics") }
    if file["rule_files"].list.compactMap(\.text) != ["rules/*.yml"] {
      found.append("the rules are not taken")
    }
    return found
  }
}
