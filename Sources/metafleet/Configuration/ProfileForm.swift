import FleetModel

extension ValueForm<[String: Profile]> {
  /// The profiles by name. One that extends another is laid over it, key by key.
  static let profiles = ValueForm(
    shape: .map(keyPattern: "^[a-z0-9][a-z0-9_-]{0,31}$", ProfileKeys.record.shape)
  ) {
    node, path, reading in
    guard let members = reading.members(of: node, path) else { return nil }
    let inheritance = ProfileInheritance(members)
    // Those that extend nothing first, so that a problem is reported under the profile that has it.
    let wholes = members.map { ($0, inheritance.resolve($0.key)) }.sorted { $0.1.depth < $1.1.depth }
    var profiles: [String: Profile] = [:]
    for (member, whole) in wholes {
      let name = YAMLNode(content: .scalar(member.key, isPlain: false), position: member.position)
      _ = ValueForm<String>.name.read(name, "a key of \(path)", &reading)
      if let fault = whole.fault {
        let place = "\(path).\(fault.profile).extends"
        reading.error(place, fault.position, "\(place) \(fault.text)")
      }
      profiles[member.key] = ProfileKeys.read(whole.node, "\(path).\(member.key)", &reading)
    }
    return profiles
  } write: { _ in
    nil
  }
}

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

  /// The profile laid over what it extends, and that over what it extends.
  func resolve(_ name: String) -> Whole {
    var whole = Whole(node: nodes[name] ?? YAMLNode(content: .mapping([]), position: .start))
    var seen = [name]
    var current = name
    while let base = nodes[current]?["extends"], let parent = base.text {
      guard let node = nodes[parent], !seen.contains(parent) else {
        let text =
          nodes[parent] == nil
          ? Self.unknown(parent, among: nodes.keys)
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

  /// What is said of a name that is no profile.
  static func unknown(_ name: String, among names: some Sequence<String>) -> String {
    let names = names.sorted()
    let advice =
      Suggestion.nearest(to: name, in: names).map { "did you mean \($0)?" }
      ?? (names.isEmpty ? "there are none" : "there are \(names.joined(separator: ", "))")
    return "names the profile \(quoted(name)), which is not in the file; \(advice)"
  }
}
