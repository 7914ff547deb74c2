import FleetModel

extension ValueForm<[HoursOfDay]> {
  /// Hours of the day, or a list of them.
  static let hours = ValueForm(
    shape: .value(
      words: "HH:MM-HH:MM, or a list of them",
      schema: ["anyOf": [["type": "string"], ["type": "array", "items": ["type": "string"]]]])
  ) { node, path, reading in
    guard case .sequence = node.content else { return span.read(node, path, &reading).map { [$0] } }
    return list.read(node, path, &reading)
  } write: { hours in
    hours.isEmpty ? nil : "[" + hours.map { "\"\($0.text)\"" }.joined(separator: ", ") + "]"
  }

  private static let list = ValueForm.list(of: span, atMost: 24)

  private static let span = ValueForm<HoursOfDay>.scalar(
    "HH:MM-HH:MM", schema: ["type": "string", "pattern": "^[0-9]{2}:[0-9]{2}-[0-9]{2}:[0-9]{2}$"],
    write: { $0.text }
  ) { text throws(Refusal) in
    guard let hours = HoursOfDay(text) else { throw Refusal() }
    return hours
  }
}
