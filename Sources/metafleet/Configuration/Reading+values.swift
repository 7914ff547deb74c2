import FleetModel

/// The values that nodes hold. A scalar is read as the type its key wants, so that `no`, `12:34` and `1.10` are text
/// where text is wanted; what does not fit stays text, and is refused as that.
extension Reading {
  /// The value of `node`; nil where nothing is written and that means nothing is said. What JSON cannot hold is a
  /// problem: keys that repeat, and tags. So is what only a look at the text or at the host can tell.
  mutating func value(_ node: YAMLNode, as type: ParameterType, at path: String) -> JSONValue? {
    switch node.content {
    case .tagged:
      error(path, node.position, "\(path) must be \(type.fileWords), not \(node.described)")
      return .null
    case .sequence(let elements):
      return .array(
        elements.enumerated().map { value($1, as: type.element, at: "\(path)[\($0)]") ?? .null })
    case .mapping:
      return .object(object(node, as: type, at: path))
    case .scalar(let text, let isPlain):
      if node.isEmpty {
        if type.isObject { return .object(JSONObject()) }
        if type.isList { return nil }
        if text.isEmpty { return .null }
      }
      return scalar(text, isPlain: isPlain, as: type, node, path)
    }
  }

  private mutating func object(_ node: YAMLNode, as type: ParameterType, at path: String) -> JSONObject {
    var object = JSONObject()
    for member in members(of: node, path) ?? [] {
      object[member.key] = value(
        member.value, as: type.member(member.key), at: path.isEmpty ? member.key : "\(path).\(member.key)")
    }
    return object
  }

  private mutating func scalar(
    _ text: String, isPlain: Bool, as type: ParameterType, _ node: YAMLNode, _ path: String
  ) -> JSONValue {
    switch type {
    case .integer(let range):
      return Int64(text).flatMap { range.contains($0) ? .integer($0) : nil } ?? .string(text)
    case .number(let range):
      return DecimalText.number(text).flatMap { range.contains($0) ? .number($0) : nil } ?? .string(text)
    case .offered, .instant: return Self.number(text) ?? .string(text)
    case .boolean: return Self.boolean(text) ?? .string(text)
    case .anything:
      if isPlain, node.isEmpty { return .object(JSONObject()) }
      return isPlain ? Self.boolean(text) ?? Self.number(text) ?? .string(text) : .string(text)
    case .either(let forms):
      let isBoolean = forms.contains { if case .boolean = $0 { true } else { false } }
      if isBoolean, let boolean = Self.boolean(text) { return boolean }
      return isPlain && forms.contains(where: Self.isNumeric)
        ? Self.number(text) ?? .string(text) : .string(text)
    case .worded(_, let inner): return scalar(text, isPlain: isPlain, as: inner, node, path)
    case .displayName:
      return checked(text, as: type, node, path) { text, _ throws(Refusal) in
        try DisplayName.check(text)
        return text
      }
    case .file(let isSecret):
      let kind = CredentialKind(key: path)
      let value = checked(text, as: type, node, path) { text, files throws(Refusal) in
        try files.file(text, isSecret: isSecret, as: kind)
      }
      if kind == .password, let file = value.string { warn(of: file, node, path) }
      return value
    case .directory:
      return checked(text, as: type, node, path) { text, files throws(Refusal) in
        try files.directory(text)
      }
    default: return .string(text)
    }
  }

  /// The text as a check makes it; what the check refuses is a problem.
  private mutating func checked(
    _ text: String, as type: ParameterType, _ node: YAMLNode, _ path: String,
    by check: (String, FileReferences) throws(Refusal) -> String
  ) -> JSONValue {
    guard !text.isEmpty else { return .string(text) }
    do throws(Refusal) { return .string(try check(text, files)) } catch {
      var text = "\(path) must be \(type.fileWords)"
      if case .file = type {} else { text += ", not \(node.described)" }
      self.error(path, node.position, text + (error.hint.map { "; \($0)" } ?? ""))
      return .string(node.text ?? "")
    }
  }

  private mutating func warn(of file: String, _ node: YAMLNode, _ path: String) {
    guard let content = files.read(file), let secret = try? SecretText.firstLine(of: content, in: file),
      let warning = SecretText.warning(of: secret, in: file)
    else { return }
    report(.warning, path, node.position, "\(path): \(warning)")
  }

  private static func boolean(_ text: String) -> JSONValue? {
    text == "true" ? true : text == "false" ? false : nil
  }

  private static func number(_ text: String) -> JSONValue? {
    if let whole = Int64(text) { return .integer(whole) }
    return DecimalText.number(text).map { .number($0) }
  }

  private static func isNumeric(_ type: ParameterType) -> Bool {
    switch type {
    case .integer, .number, .offered: true
    default: false
    }
  }
}
