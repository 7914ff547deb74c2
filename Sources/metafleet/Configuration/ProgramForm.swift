import FleetModel

extension ValueForm<ProgramDeclarations> {
  /// Chains, timers or events by name: the arguments of the verb that makes one, read by the verb's own rules.
  static func program(_ kind: ProgramKey.Kind) -> ValueForm {
    ValueForm(shape: .map(keyPattern: "^[a-z][a-z0-9-]{0,31}$", shape(of: kind))) { node, path, reading in
      guard let members = reading.members(of: node, path) else { return nil }
      var declarations = ProgramDeclarations()
      for member in members {
        declare(ProgramKey(kind, member.key), member, "\(path).\(member.key)", &declarations, &reading)
      }
      return declarations
    } write: { _ in
      nil
    }
  }

  private static func declare(
    _ key: ProgramKey, _ member: YAMLNode.Member, _ path: String,
    _ declarations: inout ProgramDeclarations, _ reading: inout Reading
  ) {
    guard let keys = reading.members(of: member.value, path) else { return }
    let types = Dictionary(
      key.kind.parameters.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
    let arguments = JSONObject(
      keys.map { ($0.key, $0.value.json(as: types[$0.key] ?? .anything("a value of the source"))) })
    do throws(CommandFailure) { try declarations.declare(key, arguments) } catch {
      reading.error(path, member.position, "\(path): \(error.message)")
    }
  }

  private static func shape(of kind: ProgramKey.Kind) -> ValueShape {
    let parameters = kind.parameters
    var schema = JSONSchema.members(parameters)
    if kind == .chain { schema["additionalProperties"] = true }
    return .value(
      words: "a mapping with the keys " + parameters.map(\.name).joined(separator: ", "), schema: schema)
  }
}

extension ProgramDeclarations {
  /// Reports what refers to something that is not in the profile.
  func reportGaps(in node: YAMLNode, _ path: String, _ reading: inout Reading) {
    for (key, text) in gaps {
      let place = "\(path).\(key.kind.rawValue).\(key.name)"
      let section = node[key.kind.rawValue]
      let position = section?.members?.first { $0.key == key.name }?.position ?? node.position
      reading.error(place, position, "\(place): \(text)")
    }
  }
}
