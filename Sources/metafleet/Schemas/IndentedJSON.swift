import FleetModel

/// JSON over several lines, for files that people read: what fits on a line stays on it.
enum IndentedJSON {
  private static let width = 110

  /// The text of a value, its further lines indented by `margin` spaces.
  static func of(_ value: JSONValue, margin: Int = 0) -> String {
    let flat = JSONText.of(value)
    guard flat.utf8.count + margin > width else { return flat }
    let inner = margin + 2
    switch value {
    case .object(let object):
      return block(
        object.members.map { "\(JSONText.of(.string($0.key))): \(of($0.value, margin: inner))" }, "{", "}",
        margin)
    case .array(let elements): return block(elements.map { of($0, margin: inner) }, "[", "]", margin)
    default: return flat
    }
  }

  private static func block(_ lines: [String], _ open: String, _ close: String, _ margin: Int) -> String {
    let indent = String(repeating: " ", count: margin + 2)
    return open + "\n" + lines.map { indent + $0 }.joined(separator: ",\n") + "\n"
      + String(repeating: " ", count: margin) + close
  }
}
