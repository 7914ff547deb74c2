/// Forms that names have: how each is told, recognised, and written as a pattern.
public enum NameForm: Sendable {
  /// Names of gateways, groups and profiles, for use in topics.
  case name
  /// Names of chains, timers and events on a board.
  case boardName
  /// Keys of labels.
  case label

  /// "must be …".
  public var words: String {
    switch self {
    case .name: "lower-case letters, digits, _ and -, at most 32, starting with a letter or digit"
    case .boardName: "lower-case letters, digits and -, at most 32, starting with a letter"
    case .label: "lower-case letters, digits and _, at most 32, starting with a letter"
    }
  }

  /// As a regular expression.
  public var pattern: String {
    switch self {
    case .name: "^[a-z0-9][a-z0-9_-]{0,31}$"
    case .boardName: "^[a-z][a-z0-9-]{0,31}$"
    case .label: "^[a-z][a-z0-9_]{0,31}$"
    }
  }

  /// Whether `text` has this form.
  public func fits(_ text: String) -> Bool {
    switch self {
    case .name: ParameterType.isName(text, digitsFirst: true, further: "_-")
    case .boardName: ParameterType.isName(text, digitsFirst: false, further: "-")
    case .label: ParameterType.isName(text, digitsFirst: false, further: "_")
    }
  }
}

extension ParameterType {
  /// Whether `text` is a name of the given first and further characters, at most 32.
  public static func isName(_ text: String, digitsFirst: Bool, further: String) -> Bool {
    let bytes = Array(text.utf8)
    guard (1...32).contains(bytes.count), let first = bytes.first else { return false }
    func isLetter(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") }
    func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }
    guard isLetter(first) || digitsFirst && isDigit(first) else { return false }
    return bytes.dropFirst().allSatisfy { isLetter($0) || isDigit($0) || further.utf8.contains($0) }
  }

  /// Whether `text` can name a request: 1 to `most` characters of `[A-Za-z0-9._-]` (MQTT contract 3.1).
  public static func isIdentifier(_ text: String, atMost most: Int = 64) -> Bool {
    (1...most).contains(text.utf8.count)
      && text.utf8.allSatisfy { isLetterOrDigit($0) || "._-".utf8.contains($0) }
  }

  /// Whether `text` can be the first levels of a topic: 1 to 4 of them, each 1 to 32 of `[A-Za-z0-9_-]`.
  static func isTopicLevels(_ text: String) -> Bool {
    let levels = text.split(separator: "/", omittingEmptySubsequences: false)
    return (1...4).contains(levels.count)
      && levels.allSatisfy { level in
        (1...32).contains(level.utf8.count)
          && level.utf8.allSatisfy { isLetterOrDigit($0) || "_-".utf8.contains($0) }
      }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
