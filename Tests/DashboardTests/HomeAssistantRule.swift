import FleetModel

@testable import Dialects

/// What a file for Home Assistant must be: its topics and fields are published, and its entities are announced.
enum HomeAssistantRule {
  /// What is wrong with a file, in sentences.
  static func problems(of file: JSON, contract: TopicContract = .ours) -> [String] {
    items(of: file).flatMap { item in
      let name = ["alias", "name", "title"].compactMap { item[$0].text }.first ?? "?"
      return (topicProblems(of: item, contract) + entityProblems(of: item) + commandProblems(in: item)).map {
        "\(name): \($0)"
      }
    }
  }

  /// Automations, sensors, cards: the least objects that stand for themselves.
  private static func items(of value: JSON) -> [JSON] {
    switch value {
    case .list(let list): list.flatMap(items)
    case .object(let members):
      ["alias", "name", "title", "type", "triggers"].contains {
        members[$0] != nil && members["input"] == nil
      }
        ? [value] : members.sorted { $0.key < $1.key }.flatMap { items(of: $0.value) }
    case .null, .bool, .number, .text: []
    }
  }

  private static func topicProblems(of item: JSON, _ contract: TopicContract) -> [String] {
    let topics = item.objects.flatMap { object in
      ["topic", "state_topic", "command_topic", "availability_topic"].compactMap { object[$0].text }
    }
    let known = topics.reduce(into: Set<String>()) { $0.formUnion(contract.keys(of: $1) ?? []) }
    let fields = item.texts.flatMap { text in
      text.matches(of: /(?:value_json|payload_json)\.(\w+)/).map { String($0.1) }
    }
    return topics.filter { contract.keys(of: $0) == nil }.map { "no topic \($0)" }
      + Set(fields).subtracting(known).sorted().map { "no field \($0) on \(topics.joined(separator: " "))" }
  }

  /// Commands take the arguments they are given.
  private static func commandProblems(in item: JSON) -> [String] {
    item.objects.flatMap { object -> [String] in
      guard let verb = object["topic"].text?.firstMatch(of: /\/cmd\/([\w-]+)$/).map({ String($0.1) }),
        let definition = VerbCatalogue.all.first(where: { $0.name == verb }),
        let request = object["payload"].text.flatMap({ try? JSON($0) })
      else { return [] }
      return Set(request["args"].members.keys).subtracting(definition.parameters.map(\.name)).sorted().map {
        "\(verb) takes no \($0)"
      }
    }
  }

  /// Entities of the demo's first board, which discovery announces; and those that the files make themselves.
  private static func entityProblems(of item: JSON) -> [String] {
    item.texts.flatMap { $0.matches(of: /\b(\w+)\.(demo_1|metafleet)_(\w+)/) }.map {
      (String($0.1), "\($0.2)_\($0.3)")
    }.filter { domain, name in !entities.contains("\(domain).\(name)") }.map { "no entity \($0.0).\($0.1)" }
  }

  private static let entities = announced.union(made)

  /// What is announced of a board called Demo 1 that has everything.
  private static let announced: Set<String> = {
    let board = BoardID(BluetoothAddress(rawValue: 0xC0FF_EE00_0001))
    let description = BoardDescription(
      model: "MetaMotion S", modelNumber: "8", manufacturer: "MbientLab Inc", serialNumber: "055B9E",
      hardwareRevision: "0.1", firmwareRevision: "1.7.3", imu: "bmi270",
      modules: ["switch": .init(id: 1, isPresent: true, implementation: 0, revision: 0, extra: [])],
      slots: .init(), streams: [])
    let device = HomeAssistantDevice(
      topics: TopicTree(base: "metafleet", gateway: "demo"), version: "1",
      info: BoardInfo(
        board: board, family: "metamotion", name: "Demo 1", site: nil, profile: nil, groups: [], labels: [:],
        verbs: ["led", "identify"], description: description, interviewed: nil,
        changed: .init(milliseconds: 0)),
      streams: StreamCatalogue.all.map { (name: $0.name, configuration: [:]) })
    let components = device.document["components"]?.object?.members.compactMap(\.value.object) ?? []
    return Set(
      components.compactMap { component in
        guard let domain = component["platform"]?.string, let name = component["name"]?.string else {
          return nil
        }
        return "\(domain).demo_1_\(slug(name))"
      })
  }()

  /// What the files make: entities of `mqtt:`, `template:` and `alert:`.
  private static let made: Set<String> = {
    let files = ShippedFiles.files(in: "home-assistant", endingIn: ".yaml").compactMap {
      try? JSON(yaml: ShippedFiles.text($0))
    }
    var found: Set<String> = []
    for file in files {
      for part in [file["mqtt"]] + file["template"].list {
        for (domain, list) in part.members {
          found.formUnion(list.list.compactMap { $0["name"].text }.map { "\(domain).\(slug($0))" })
        }
      }
      found.formUnion(file["alert"].members.keys.map { "alert.\($0)" })
    }
    return found
  }()

  /// As Home Assistant makes an entity's id of its name.
  private static func slug(_ name: String) -> String {
    name.lowercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
  }
}
