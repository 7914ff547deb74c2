import FleetModel

/// What is found out while a configuration file is read.
struct Reading: Sendable {
  /// Where files named in the configuration are looked for.
  let files: FileReferences
  private(set) var problems: [ConfigurationProblem] = []
  private var reported: Set<YAMLNode.Position> = []

  init(files: FileReferences) { self.files = files }

  /// Notes a problem. The first problem at a place counts: an inherited key is read once per heir.
  mutating func report(
    _ severity: ConfigurationProblem.Severity, _ path: String, _ position: YAMLNode.Position, _ text: String
  ) {
    guard reported.insert(position).inserted else { return }
    problems.append(
      ConfigurationProblem(severity, path: path, line: position.line, column: position.column, text))
  }

  mutating func error(_ path: String, _ position: YAMLNode.Position, _ text: String) {
    report(.error, path, position, text)
  }

  /// Notes what is wrong with the values of `root`, where it stands in the file.
  mutating func report(_ faults: [ArgumentFault], in root: YAMLNode) {
    for fault in faults { report(fault.severity, fault.path, root.position(of: fault), fault.text) }
  }

  /// The members of a mapping, each key once; nil, and a problem, where there is no mapping.
  mutating func members(of node: YAMLNode, _ path: String) -> [YAMLNode.Member]? {
    guard let members = node.members else {
      let name = path.isEmpty ? "the file" : path
      error(path, node.position, "\(name) must be a mapping of keys to values, not \(node.described)")
      return nil
    }
    var first: [String: YAMLNode.Position] = [:]
    return members.filter { member in
      guard let earlier = first[member.key] else {
        first[member.key] = member.position
        return true
      }
      error(
        path.isEmpty ? member.key : "\(path).\(member.key)", member.position,
        "\(quoted(member.key)) is defined twice, first on line \(earlier.line); remove one")
      return false
    }
  }
}

/// Why a text is not what its key wants, where "must be …" does not say it all.
struct Refusal: Error {
  /// The rest of the sentence after "must be …, not …"; nil when that says it.
  var hint: String?

  init(_ hint: String? = nil) { self.hint = hint }
}
