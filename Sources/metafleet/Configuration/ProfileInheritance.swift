import FleetModel

/// Which profile builds on which.
struct ProfileInheritance {
  /// Why a profile cannot be made whole.
  struct Fault: Sendable {
    var profile: String
    var position: YAMLNode.Position
    var text: String
  }

  /// A profile with what it extends below it.
  struct Whole: Sendable {
    var node: YAMLNode
    /// How many profiles it builds on.
    var depth = 0
    var fault: Fault?
  }

  private let nodes: [String: YAMLNode]

  init(_ members: [YAMLNode.Member]) {
    nodes = Dictionary(members.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
  }

  /// The file with every profile laid over what it extends. Those that extend nothing come first, so that a problem is
  /// reported under the profile that has it.
  static func resolved(_ file: YAMLNode) -> (file: YAMLNode, faults: [Fault]) {
    var faults: [Fault] = []
    let whole = file.replacing("profiles") { profiles in
      guard case .mapping(let members) = profiles.content else { return profiles }
      let inheritance = ProfileInheritance(members)
      let wholes = members.map { (member: $0, whole: inheritance.resolve($0.key)) }
        .sorted { $0.whole.depth < $1.whole.depth }
      faults = wholes.compactMap(\.whole.fault)
      return YAMLNode(
        content: .mapping(
          wholes.map {
            YAMLNode.Member(key: $0.member.key, position: $0.member.position, value: $0.whole.node)
          }), position: profiles.position)
    }
    return (whole, faults)
  }

  /// The profile laid over what it extends, and that over what it extends.
  func resolve(_ name: String) -> Whole {
    var whole = Whole(node: nodes[name] ?? YAMLNode(content: .mapping([]), position: .start))
    var seen = [name]
    var current = name
    while let base = nodes[current]?["extends"], let parent = base.text {
      guard let node = nodes[parent], !seen.contains(parent) else {
        let text =
          nodes[parent] == nil
          ? ConfigurationReading.unknownProfile(parent, among: nodes.keys)
          : "goes round in a circle: \((seen + [parent]).joined(separator: " → ")); break it"
        whole.fault = Fault(profile: current, position: base.position, text: text)
        return whole
      }
      whole.node = whole.node.laid(over: node)
      whole.depth += 1
      seen.append(parent)
      current = parent
    }
    return whole
  }
}
