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
  /// Text for people, of a bounded number of Unicode scalars, that no display stumbles over (MQTT contract 9).
  case displayName(ClosedRange<Int>)
  /// Printable text for machines, such as a host name, of 1 to so many bytes.
  case word(atMost: Int)
  /// Hex digits, in any case, of a bounded number of bytes; spaces and colons may stand between them.
  case bytes(ClosedRange<Int>)
  /// A stretch of time such as `90s` or `1h30m`, within the given bounds.
  case duration(atLeast: Duration, atMost: Duration? = nil)
  /// Bytes such as `200MB` or `1GiB`.
  case size
  /// A share such as `10%`.
  case percent
  /// When something is due: an interval of at least so much, times of day, or never.
  case scheduleRule(atLeast: Duration = ScheduleRule.leastInterval)
  /// A part of the day such as `08:00-18:00`.
  case hours
  /// First levels of topics, separated by slashes.
  case topicLevels
  /// Where a server listens: an address with a port, a socket in the file system, or `none`.
  case listenAddress
  /// A file that is there; a secret one is kept from everybody but its owner and group.
  case file(isSecret: Bool)
  /// A directory, made when it is needed.
  case directory
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
  /// An object with a bounded number of keys of one form, and values of one type.
  case map(keys: NameForm = .label, of: ParameterType, ClosedRange<Int>)
  /// Streams by name, each with the keys that the catalogue declares.
  case streams(StreamUse)
  /// Chains, timers or events by name, each with the arguments of the verb that makes one.
  case programs(ProgramKey.Kind)
  /// Keys of the verb `settings`, each read by the verb's own rules.
  case settings
  /// Any of several forms; the first that fits counts.
  case either([ParameterType])
  /// The values of another type, told in words of their own.
  case worded(String, ParameterType)

  /// How the allowed values read in a message: `25, 50, 100`, `0 … 31`, `solid, blink`.
  public var words: String {
    switch self {
    case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number(let range):
      "a number from \(Self.plain(range.lowerBound)) to \(Self.plain(range.upperBound))"
    case .boolean: "true or false"
    case .offered(let values): values.map(Self.plain).joined(separator: ", ")
    case .choice(let words): words.joined(separator: ", ")
    case .text(let range), .displayName(let range): "text of \(Self.plain(range)) characters"
    case .word(let most): "text of 1 to \(most) characters"
    case .bytes(let range): "hex digits of \(Self.plain(range)) bytes"
    case .duration(let least, nil): "a duration of at least \(DurationText.format(least)), such as \"90s\""
    case .duration(let least, let most?):
      "a duration from \(DurationText.format(least)) to \(DurationText.format(most))"
    case .size: "a size such as 200MB or 1GiB"
    case .percent: "a percentage from 0% to 100%"
    case .scheduleRule: "an interval such as 15m, daily HH:MM, weekly <mon…sun> HH:MM, or never"
    case .hours: "HH:MM-HH:MM"
    case .topicLevels: "1 to 4 levels of letters, digits, _ and -, separated by single slashes"
    case .listenAddress:
      "none, an address with a port such as 127.0.0.1:9464 or [::1]:9464, or unix:/path/of/a/socket"
    case .file(let isSecret): isSecret ? "a file that only its owner and group can read" : "a readable file"
    case .directory: "a directory"
    case .object(let members): "an object with " + Self.names(members)
    case .settings: "an object with " + Self.names(SettingsDeclaration.parameters)
    case .name: "a name of lower-case letters, digits, _ and -, at most 32"
    case .boardName: "a name of lower-case letters, digits and -, beginning with a letter, at most 32"
    case .address: "an address such as E5:A1:C2:D3:F4:B6, or its twelve hex digits"
    case .identifier(let most): "1 to \(most) characters of A-Z a-z 0-9 . _ -"
    case .instant: "a whole number of milliseconds since 1970"
    case .anything(let words), .worded(let words, _): words
    case .list(let element, let count): "a list of at most \(count.upperBound), each \(element.words)"
    case .map(_, let value, let count): "an object of at most \(count.upperBound) keys, each \(value.words)"
    case .streams: "an object of streams"
    case .programs: "an object of names"
    case .either(let forms): forms.map(\.words).joined(separator: "; or ")
    }
  }

  /// The same for who writes the configuration file: YAML has mappings, and sentences read better than lists.
  public var fileWords: String {
    switch self {
    case .choice(let words) where words.count > 1: "one of " + words.joined(separator: ", ")
    case .name: NameForm.name.words
    case .address: "a Bluetooth address such as E5:A1:C2:D3:F4:B6"
    case .object(let members): "a mapping with the keys " + Self.names(members)
    case .settings: "a mapping with the keys " + Self.names(SettingsDeclaration.parameters)
    case .map, .programs: "a mapping of names"
    case .streams: "a mapping of streams"
    case .list(let element, _): "a list, each " + element.fileWords
    case .either(let forms): forms.map(\.fileWords).joined(separator: ", or ")
    default: words
    }
  }

  private static func names(_ parameters: [Parameter]) -> String {
    parameters.map(\.name).joined(separator: ", ")
  }

  private static func plain(_ range: ClosedRange<Int>) -> String {
    range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
  }

  /// A number without a needless `.0`.
  public static func plain(_ value: Double) -> String {
    if let whole = Int64(exactly: value) { String(whole) } else { "\(value)" }
  }
}

extension ParameterType {
  /// One of an enumeration's words.
  static func words<Word: RawRepresentable & CaseIterable>(of _: Word.Type) -> ParameterType
  where Word.RawValue == String {
    .choice(Word.allCases.map(\.rawValue))
  }

  /// The word `auto`, or a value.
  static func automatic(or type: ParameterType) -> ParameterType { .either([.choice(["auto"]), type]) }

  /// The type of the member `name` of an object of this type. What is not declared can be anything, and is refused
  /// later.
  package func member(_ name: String) -> ParameterType {
    switch self {
    case .object(let members): members.first { $0.name == name }?.type ?? .undeclared
    case .settings: ParameterType.object(SettingsDeclaration.parameters).member(name)
    case .map(_, let value, _): value
    case .streams(let use):
      .object(StreamCatalogue.find(name)?.stream.fileParameters(for: use) ?? StreamDefinition.laneParameters)
    case .programs(let kind): .object(kind.parameters)
    case .either(let forms): forms.first(where: \.isObject)?.member(name) ?? .undeclared
    case .worded(_, let type): type.member(name)
    case .anything: self
    default: .undeclared
    }
  }

  /// The type of an element of a list of this type.
  package var element: ParameterType {
    switch self {
    case .list(let element, _): element
    case .either(let forms): forms.first(where: \.isList)?.element ?? .undeclared
    case .worded(_, let type): type.element
    case .anything: self
    default: .undeclared
    }
  }

  private static let undeclared = ParameterType.anything("anything")

  /// Whether its values are objects, or may be.
  package var isObject: Bool {
    switch self {
    case .object, .map, .streams, .programs, .settings: true
    case .either(let forms): forms.contains(where: \.isObject)
    case .worded(_, let type): type.isObject
    default: false
    }
  }

  /// Whether its values are lists and nothing else.
  package var isList: Bool {
    if case .list = self { true } else { false }
  }
}
