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
func quoted(_ text: String) -> String {
  let scalars = text.unicodeScalars
  let shown = scalars.prefix(60).map { isPrintable($0) ? String($0) : $0.escaped(asASCII: true) }.joined()
  return "\"" + shown + (scalars.count > 60 ? "…" : "") + "\""
}
