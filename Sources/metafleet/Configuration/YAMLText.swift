import FleetModel

/// Values as the configuration file would have them.
enum YAMLText {
  /// The default of a key; nil where it has none.
  static func standard(of key: Parameter) -> String? { key.standard.map { of($0, as: key.type) } }

  /// A value of a type on one line.
  static func of(_ value: JSONValue, as type: ParameterType) -> String {
    switch value {
    case .string(let text): self.text(text, as: type)
    case .array(let elements):
      "[" + elements.map { of($0, as: type.element) }.joined(separator: ", ") + "]"
    case .object(let object) where object.isEmpty: "{}"
    default: JSONText.of(value)
    }
  }

  /// Text in quotes where YAML readers of other programs would see a number, a Boolean or a date.
  private static func text(_ text: String, as type: ParameterType) -> String {
    let isWord =
      text.first?.isLetter == true
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./ ".contains($0)) }
    switch type {
    case .worded(_, let inner): return self.text(text, as: inner)
    case .text, .displayName, .word, .address, .choice, .listenAddress:
      return isWord ? text : JSONText.of(.string(text))
    default: return text
    }
  }
}
