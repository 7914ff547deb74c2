import FleetModel

/// A node of a YAML file and where it stands. Own type, so that only `YAMLDocument` knows the parser.
struct YAMLNode: Sendable {
  /// Line and column from 1; columns count Unicode scalars.
  struct Position: Hashable, Sendable {
    var line: Int
    var column: Int

    static let start = Position(line: 1, column: 1)
  }

  /// A key and its value. Keys may repeat: the reader complains, with the place of each.
  struct Member: Sendable {
    var key: String
    var position: Position
    var value: YAMLNode
  }

  indirect enum Content: Sendable {
    /// Text as written; what it means depends on the key. `isPlain` tells `no` from `"no"`.
    case scalar(String, isPlain: Bool)
    case mapping([Member])
    case sequence([YAMLNode])
    /// A node with a tag, which the file may not have.
    case tagged(String)
  }

  var content: Content
  var position: Position

  /// Whether nothing is written here: `key:`, `key: ~` or `key: null`.
  var isEmpty: Bool {
    guard case .scalar(let text, isPlain: true) = content else { return false }
    return text.isEmpty || text == "~" || text == "null"
  }

  /// The members of a mapping; none where nothing is written; nil for anything else.
  var members: [Member]? {
    if case .mapping(let members) = content { return members }
    return isEmpty ? [] : nil
  }

  /// The elements of a list; none where nothing is written; nil for anything else.
  var elements: [YAMLNode]? {
    if case .sequence(let elements) = content { return elements }
    return isEmpty ? [] : nil
  }

  /// The text of a scalar.
  var text: String? {
    if case .scalar(let text, _) = content { text } else { nil }
  }

  /// The value at `key` of a mapping; the first where it repeats.
  subscript(key: String) -> YAMLNode? { members?.first { $0.key == key }?.value }

  /// This node laid over `base`: mappings merge by key, anything else of ours wins.
  func laid(over base: YAMLNode) -> YAMLNode {
    guard let ours = members, let theirs = base.members else { return self }
    var merged: [Member] = theirs.filter { member in !ours.contains { $0.key == member.key } }
    for member in ours {
      var member = member
      if let inherited = base[member.key] { member.value = member.value.laid(over: inherited) }
      merged.append(member)
    }
    return YAMLNode(content: .mapping(merged), position: position)
  }

  /// This mapping with another value at `key`, where it has one.
  func replacing(_ key: String, by change: (YAMLNode) -> YAMLNode) -> YAMLNode {
    guard case .mapping(var members) = content, let index = members.firstIndex(where: { $0.key == key })
    else { return self }
    members[index].value = change(members[index].value)
    return YAMLNode(content: .mapping(members), position: position)
  }

  /// Where something is wrong below this node; where nothing is written there, the place of what holds it.
  func position(of fault: ArgumentFault) -> Position {
    var node = self
    var key = position
    let steps = fault.part == .holder ? fault.place.steps.dropLast() : fault.place.steps[...]
    for step in steps {
      switch step {
      case .key(let name):
        guard let member = node.members?.first(where: { $0.key == name }) else { return node.position }
        (node, key) = (member.value, member.position)
      case .element(let index):
        guard let elements = node.elements, elements.indices.contains(index) else { return node.position }
        (node, key) = (elements[index], elements[index].position)
      }
    }
    return fault.part == .key || fault.part == .name ? key : node.position
  }

  /// How the node is called in a message: its text, or what it is.
  var described: String {
    switch content {
    case .scalar(let text, _): isEmpty && text.isEmpty ? "nothing" : quoted(text)
    case .mapping: "a mapping"
    case .sequence: "a list"
    case .tagged(let tag): "a value with the tag \(quoted(tag))"
    }
  }
}

/// Text from outside between quotation marks, bounded, with whatever could disturb a terminal escaped.
func quoted(_ text: String) -> String { PrintableText.quoted(text) }
