/// One named argument of a verb, or one configuration key of a stream: declared once, and from the declaration
/// come validation, messages, help and documentation.
public struct Parameter: Sendable {
  /// The key as users write it, with its unit (`rate_hz`).
  public let name: String
  /// What values it takes.
  public let type: ParameterType
  /// Whether it must be given.
  public let isRequired: Bool
  /// What counts when it is left out; nil where leaving it out means something of its own.
  public let standard: JSONValue?
  /// One sentence for people.
  public let summary: String

  /// Declares a parameter.
  public init(
    _ name: String, _ type: ParameterType, required: Bool = false, standard: JSONValue? = nil,
    _ summary: String
  ) {
    self.name = name
    self.type = type
    isRequired = required
    self.standard = standard
    self.summary = summary
  }
}

/// What values a parameter takes.
public indirect enum ParameterType: Sendable {
  /// A whole number in a range; `5.0` is one.
  case integer(ClosedRange<Int64>)
  /// A number in a range.
  case number(ClosedRange<Double>)
  /// `true` or `false`.
  case boolean
  /// A number that must be on a list; a value within 1 % of an offered one is that one.
  case offered([Double])
  /// A word that must be on a list.
  case choice([String])
  /// Any text of a bounded number of Unicode scalars.
  case text(ClosedRange<Int>)
  /// Hex digits, in any case, of a bounded number of bytes; spaces and colons may stand between them.
  case bytes(ClosedRange<Int>)
  /// A stretch of time such as `90s` or `1h30m`, at least the given one.
  case duration(atLeast: Duration)
  /// An object with these members and no others.
  case object([Parameter])
  /// A name for use in topics: `[a-z0-9][a-z0-9_-]{0,31}`.
  case name
  /// A name of something on a board: `[a-z][a-z0-9-]{0,31}`.
  case boardName
  /// A Bluetooth address, of a board or an adapter: twelve hex digits, with or without colons.
  case address
  /// An identifier of a request: characters of `[A-Za-z0-9._-]`, at most so many.
  case identifier(atMost: Int)
  /// A point in time: whole milliseconds since 1970.
  case instant
  /// Anything, because it is read by rules of its own; in words.
  case anything(String)
  /// A list of a bounded number of elements.
  case list(of: ParameterType, ClosedRange<Int>)
  /// An object with any keys of the form `[a-z][a-z0-9_]{0,31}` and values of one type.
  case map(of: ParameterType, ClosedRange<Int>)
  /// Any of several forms; the first that fits counts.
  case either([ParameterType])

  /// How the allowed values read in a message: `25, 50, 100`, `0 … 31`, `solid, blink`.
  public var words: String {
    switch self {
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number(let range):
      "a number from \(Self.plain(range.lowerBound)) to \(Self.plain(range.upperBound))"
    case .boolean: "true or false"
    case .offered(let values): values.map(Self.plain).joined(separator: ", ")
    case .choice(let words): words.joined(separator: ", ")
    case .text(let range): "text of \(Self.plain(range)) characters"
    case .bytes(let range): "hex digits of \(Self.plain(range)) bytes"
    case .duration(let least): "a duration of at least \(DurationText.format(least)), such as \"90s\""
    case .object(let members): "an object with " + members.map(\.name).joined(separator: ", ")
    case .name: "a name of lower-case letters, digits, _ and -, at most 32"
    case .boardName: "a name of lower-case letters, digits and -, beginning with a letter, at most 32"
    case .address: "an address such as E5:A1:C2:D3:F4:B6, or its twelve hex digits"
    case .identifier(let most): "1 to \(most) characters of A-Z a-z 0-9 . _ -"
    case .instant: "a whole number of milliseconds since 1970"
    case .anything(let words): words
    case .list(let element, let count): "a list of at most \(count.upperBound), each \(element.words)"
    case .map(let value, let count): "an object of at most \(count.upperBound) keys, each \(value.words)"
    case .either(let forms): forms.map(\.words).joined(separator: "; or ")
    }
  }

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
      && text.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }

  private static func plain(_ range: ClosedRange<Int>) -> String {
    range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
  }

  /// A number without a needless `.0`.
  public static func plain(_ value: Double) -> String {
    if let whole = Int64(exactly: value) { String(whole) } else { "\(value)" }
  }
}
