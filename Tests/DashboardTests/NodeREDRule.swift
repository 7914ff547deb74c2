import FleetModel

/// What a flow must be so that it runs in any Node-RED with core nodes alone, keeps no secret and fits the contract.
struct NodeREDRule {
  private let nodes: [JSON]
  private let contract: TopicContract

  /// What is wrong with a flow file, in sentences.
  static func problems(of flows: JSON, contract: TopicContract = .ours) -> [String] {
    let rule = NodeREDRule(nodes: flows.list, contract: contract)
    return rule.identities + rule.nodes.flatMap(rule.shape) + rule.secrets + rule.topics + rule.aliases
      + rule.commands + rule.nodes.flatMap(rule.names) + rule.tabs
  }

  private static let coreTypes: Set<String> = [
    "catch", "change", "comment", "debug", "file", "function", "http request", "inject", "link in",
    "link out",
    "mqtt in", "mqtt out", "mqtt-broker", "status", "subflow", "switch", "tab", "template",
  ]
  /// Nodes without a place on a tab.
  private static let placeless: Set<String> = ["mqtt-broker", "subflow", "tab"]

  private var ids: Set<String> { Set(nodes.compactMap { $0["id"].text }) }

  private var identities: [String] {
    let ids = nodes.compactMap { $0["id"].text }
    var found = ids.filter { $0.wholeMatch(of: /[0-9a-f]{16}/) == nil }.map {
      "id \($0) is not 16 hex digits"
    }
    if Set(ids).count != nodes.count { found.append("ids are not unique") }
    return found
  }

  private func shape(of node: JSON) -> [String] {
    let type = node["type"].text ?? ""
    let name = Self.name(of: node)
    var found: [String] = []
    let subflow = type.hasPrefix("subflow:") ? String(type.dropFirst("subflow:".count)) : nil
    if let subflow, !ids.contains(subflow) { found.append("\(name): no subflow \(subflow)") }
    if subflow == nil, !Self.coreTypes.contains(type) { found.append("\(name): \(type) is no core node") }
    let targets = node["wires"].list.flatMap(\.list).compactMap(\.text)
    let references =
      targets + [node["z"].text, node["broker"].text].compactMap(\.self).filter { !$0.hasPrefix("${") }
    for target in references where !ids.contains(target) {
      found.append("\(name): refers to \(target), which is not there")
    }
    let isPlaced = node["z"].text != nil && node["x"].number != nil && node["y"].number != nil
    if isPlaced == Self.placeless.contains(type) { found.append("\(name): z, x and y") }
    for coordinate in ["x", "y"] {
      if isPlaced, let value = node[coordinate].number, value.truncatingRemainder(dividingBy: 10) != 0 {
        found.append("\(name): \(coordinate) is off the grid")
      }
    }
    if type == "mqtt-broker" {
      if node["broker"].text != "${METAFLEET_MQTT_HOST}" || node["port"].text != "${METAFLEET_MQTT_PORT}" {
        found.append("\(name): the broker comes from the environment")
      }
      if node["clientid"].text != "" || node["cleansession"] != .bool(true) {
        found.append("\(name): shared client id")
      }
    }
    if type == "mqtt in", node["datatype"].text != "json" || node["qos"].text != "1" {
      found.append("\(name): datatype json and qos 1")
    }
    return found
  }

  /// Credentials live in a file of their own; paths and host names in the environment.
  private var secrets: [String] {
    let denied: Set<String> = ["credentials", "password", "user"]
    return nodes.flatMap { node in
      Set(node.objects.flatMap(\.members.keys)).intersection(denied).map {
        "\(Self.name(of: node)): holds \($0)"
      }
        + node.texts.filter { $0.contains(/(?:^|[\s"'])\/(?:etc|home|opt|root|tmp|usr|var)\//) }
        .map { _ in "\(Self.name(of: node)): names a path" }
    }
  }

  /// Every topic is one of ours, and what a node looks at in a payload is on a topic that its tab hears, or in a reply
  /// that a subflow of it waits for.
  private var topics: [String] {
    nodes.flatMap { node -> [String] in
      let name = Self.name(of: node)
      let said = (node["func"].text ?? "").matches(of: /`(metafleet\/[^`]+)`/).map {
        String($0.1).replacing(/\$\{[^}]+\}/, with: "+")
      }
      let heard = node["type"].text == "mqtt in" ? [node["topic"].text ?? ""] : []
      let unknown = (heard + said).filter { contract.keys(of: $0) == nil }.map { "\(name): no topic \($0)" }
      guard node["type"].text != "subflow", node["type"].text != "comment" else { return unknown }
      let known = fieldsKnown(on: node["z"])
      return unknown
        + fields(of: node).subtracting(known).sorted().map {
          "\(name): no field \($0) on any topic heard"
        }
    }
  }

  private func fieldsKnown(on tab: JSON) -> Set<String> {
    nodes.filter { $0["z"] == tab }.reduce(into: []) { known, node in
      let type = node["type"].text ?? ""
      if type == "mqtt in" { known.formUnion(contract.keys(of: node["topic"].text ?? "") ?? []) }
      if type.hasPrefix("subflow:") {
        known.formUnion(contract.keys(of: "metafleet/board/+/reply/+") ?? [])
      }
    }
  }

  /// What a node looks at in a payload: `payload.board`, and `const { board, event_type: type } = msg.payload`.
  private func fields(of node: JSON) -> Set<String> {
    Set(
      node.texts.flatMap { text in
        text.matches(of: /(?:^|\.)payload\.(\w+)/).map { String($0.1) }
          + text.matches(of: /\{([^{}]+)\}\s*=\s*msg\.payload/).flatMap {
            $0.1.split(separator: ",").map { String($0.prefix { $0 != ":" }).trimmed }
          }
      }.filter { !$0.isEmpty })
  }

  /// A payload under another name hides what is looked at in it.
  private var aliases: [String] {
    nodes.filter {
      ($0["func"].text ?? "").contains(/(?:const|let|var)\s+\w+\s*=\s*msg\.payload\s*(?:;|\|\||\?\?)/)
    }
    .map { "\(Self.name(of: $0)): gives the payload another name" }
  }

  /// Commands are verbs that there are, with arguments that they take.
  private var commands: [String] {
    nodes.flatMap { node -> [String] in
      let name = Self.name(of: node)
      let rules = node["rules"].list
      func set(_ property: String) -> String? { rules.first { $0["p"].text == property }?["to"].text }
      let inCode = (node["func"].text ?? "").firstMatch(of: /verb:\s*"([\w-]+)"/).map { String($0.1) }
      guard let verb = set("verb") ?? inCode else { return [] }
      guard let definition = VerbCatalogue.all.first(where: { $0.name == verb && $0.addressee == .board })
      else { return ["\(name): no verb \(verb)"] }
      let given = set("args").flatMap { try? JSON($0) }.map { Set($0.members.keys) } ?? []
      return given.subtracting(definition.parameters.map(\.name)).sorted().map {
        "\(name): \(verb) takes no \($0)"
      }
    }
  }

  private func names(of node: JSON) -> [String] {
    let needsName: Set<String> = [
      "function", "mqtt in", "mqtt out", "switch", "change", "inject", "catch", "debug", "file",
      "http request",
    ]
    guard needsName.contains(node["type"].text ?? ""), node["name"].text?.isEmpty != false else { return [] }
    return ["a node of type \(node["type"].text ?? "") has no name"]
  }

  /// Every tab explains itself and catches its errors.
  private var tabs: [String] {
    nodes.filter { $0["type"].text == "tab" }.flatMap { tab in
      let types = Set(nodes.filter { $0["z"] == tab["id"] }.compactMap { $0["type"].text })
      return ["catch", "comment"].filter { !types.contains($0) }.map {
        "\(Self.name(of: tab)): no \($0) node"
      }
    }
  }

  private static func name(of node: JSON) -> String {
    [node["name"].text, node["label"].text, node["id"].text].compactMap(\.self).first { !$0.isEmpty } ?? "?"
  }
}

extension String {
  /// Without blanks and line breaks around it.
  var trimmed: String {
    String(drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
  }
}
