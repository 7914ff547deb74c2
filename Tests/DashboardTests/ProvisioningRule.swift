/// What Grafana is provisioned with: sources that dashboards look for, and no secret in a file.
enum ProvisioningRule {
  static func problems(ofDataSources file: JSON) -> [String] {
    (file["apiVersion"].text == "1" ? [] : ["apiVersion is not 1"])
      + file["datasources"].list.flatMap { source -> [String] in
        let name = source["name"].text ?? "?"
        var found: [String] = []
        if !GrafanaRule.sources.contains(source["type"].text ?? "") { found.append("no dashboard reads it") }
        if source["uid"].text?.isEmpty != false { found.append("no uid") }
        if source["editable"].text != "false" { found.append("editable, though it comes from a file") }
        let secrets = source["secureJsonData"].members.values.compactMap(\.text)
        if !secrets.allSatisfy({ $0.wholeMatch(of: /\$\{\w+\}/) != nil }) { found.append("holds a secret") }
        let places = [source["url"].text, source["jsonData"]["uri"].text].compactMap(\.self)
        if places.isEmpty || !places.allSatisfy({ $0.contains("${") }) { found.append("names a computer") }
        return found.map { "\(name): \($0)" }
      }
  }

  static func problems(ofProviders file: JSON) -> [String] {
    (file["apiVersion"].text == "1" ? [] : ["apiVersion is not 1"])
      + file["providers"].list.flatMap { provider -> [String] in
        var found: [String] = []
        if provider["type"].text != "file" { found.append("type is not file") }
        if provider["options"]["path"].text?.hasPrefix("${") != true { found.append("names a path") }
        return found
      }
  }
}
