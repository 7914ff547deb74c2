import FleetModel

// Forms of values nobody looks into yet.

extension ValueForm<YAMLNode> {
  /// Any mapping, or nothing.
  static let mapping = ValueForm(shape: .value(words: "a mapping", schema: ["type": ["object", "null"]])) {
    node, path, reading in
    reading.members(of: node, path).map { _ in node }
  } write: { _ in
    nil
  }
}

extension ValueForm<[String]> {
  /// Hours of the day, or a list of them.
  static let hours = ValueForm(
    shape: .value(
      words: "HH:MM-HH:MM, or a list of them",
      schema: ["anyOf": [["type": "string"], ["type": "array", "items": ["type": "string"]]]])
  ) { node, path, reading in
    guard case .sequence = node.content else { return span.read(node, path, &reading).map { [$0] } }
    return list.read(node, path, &reading)
  } write: { _ in
    nil
  }

  private static let list = ValueForm.list(of: span, atMost: 24)

  private static let span = ValueForm<String>.pattern(
    "HH:MM-HH:MM", "^[0-9]{2}:[0-9]{2}-[0-9]{2}:[0-9]{2}$"
  ) { text in
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    return ends.count == 2 && ends.allSatisfy { ScheduleRule.parse("daily \($0)") != nil }
  }
}
