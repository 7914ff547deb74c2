import FleetModel
import MetaMotion

/// What a packet says, for people and for programs.
struct PacketText {
  let explanation: PacketExplanation

  private var hex: String { Self.spaced(explanation.packet) }

  private static func spaced(_ bytes: [UInt8]) -> String {
    bytes.map { Hex.string([$0]) }.joined(separator: " ")
  }

  /// One sentence: who does what with which register.
  var summary: String {
    let module = explanation.module ?? "unknown module"
    let place =
      explanation.registerName ?? explanation.register.map { "register \(Hex.string([$0]))" } ?? "no register"
    let act =
      switch (explanation.sender, explanation.access) {
      case (_, .write): "host writes"
      case (_, .read): "host reads"
      case (_, .silentRead): "host reads for logging"
      case (_, .answer): "board answers"
      case (_, .notification): "board notifies"
      case (.host, nil): "host"
      case (.board, nil): "board"
      }
    return "\(act): \(module), \(place)"
  }

  /// The packet with its fields below.
  var sheet: FactSheet {
    var section = FactSheet.Section(title: "\(hex)  \(summary)")
    for field in explanation.fields { section.add(field.name, Self.words(of: field)) }
    if !explanation.unknown.isEmpty { section.add("unknown", Self.spaced(explanation.unknown), .warning) }
    for note in explanation.notes { section.add("note", note, .dim) }
    if section.facts.isEmpty { section.add("payload", "none") }
    return FactSheet(sections: [section])
  }

  private static func words(of field: PacketExplanation.Field) -> String {
    let value =
      switch field.value {
      case .bool(let flag): flag ? "yes" : "no"
      case .string(let text): text
      default: field.value.number.map(ParameterType.plain) ?? JSONText.of(field.value)
      }
    return field.unit.isEmpty ? value : "\(value) \(field.unit)"
  }

  /// The same for programs.
  var json: JSONObject {
    var object: JSONObject = [
      "hex": .string(Hex.string(explanation.packet)), "from": .string(explanation.sender.rawValue),
    ]
    object["module"] = explanation.module.map { .string($0) }
    object["module_id"] = explanation.packet.first.map { .integer(Int64($0)) }
    object["register"] = explanation.register.map { .integer(Int64($0)) }
    object["name"] = explanation.registerName.map { .string($0) }
    object["access"] = explanation.access.map { .string($0.rawValue) }
    object["fields"] = .array(
      explanation.fields.map { field in
        var member: JSONObject = ["name": .string(field.name), "value": field.value]
        if !field.unit.isEmpty { member["unit"] = .string(field.unit) }
        return .object(member)
      })
    if !explanation.unknown.isEmpty { object["unknown"] = .string(Hex.string(explanation.unknown)) }
    if !explanation.notes.isEmpty { object["notes"] = .array(explanation.notes.map { .string($0) }) }
    object["complete"] = .bool(explanation.isComplete)
    object["text"] = .string(summary)
    return object
  }
}
