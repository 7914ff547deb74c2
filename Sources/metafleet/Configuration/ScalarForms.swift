import FleetModel

// The types of the file's grammar (MQTT contract 7.1) and of its limits (9).

extension ValueForm<String> {
  /// Text for people: a board's name, a site.
  static func text(_ length: ClosedRange<Int>) -> ValueForm {
    .scalar(
      "text of \(length.lowerBound) to \(length.upperBound) characters",
      schema: [
        "type": "string", "minLength": .integer(Int64(length.lowerBound)),
        "maxLength": .integer(Int64(length.upperBound)),
      ], write: quotedIfNeeded
    ) { text throws(Refusal) in
      try DisplayName.check(text)
      guard length.contains(text.unicodeScalars.count) else { throw Refusal() }
      return text
    }
  }

  /// Text for machines: a host name, a user name.
  static func word(_ words: String, atMost length: Int = 255) -> ValueForm {
    .scalar(
      words, schema: ["type": "string", "minLength": 1, "maxLength": .integer(Int64(length))],
      write: quotedIfNeeded
    ) { text throws(Refusal) in
      guard (1...length).contains(text.utf8.count), text.unicodeScalars.allSatisfy(isPrintable) else {
        throw Refusal()
      }
      return text
    }
  }

  /// Names of gateways, groups and profiles.
  static let name = pattern(
    "lower-case letters, digits, _ and -, at most 32, starting with a letter or digit",
    "^[a-z0-9][a-z0-9_-]{0,31}$"
  ) { ParameterType.isName($0, digitsFirst: true, further: "_-") }

  /// Names of chains, timers and events.
  static let programName = pattern(
    "lower-case letters, digits and -, at most 32, starting with a letter", "^[a-z][a-z0-9-]{0,31}$"
  ) { ParameterType.isName($0, digitsFirst: false, further: "-") }

  /// Keys of labels.
  static let labelKey = pattern(
    "lower-case letters, digits and _, at most 32, starting with a letter", "^[a-z][a-z0-9_]{0,31}$"
  ) { ParameterType.isName($0, digitsFirst: false, further: "_") }

  /// A group a board belongs to; `all` holds every board by itself.
  static let group = ValueForm(shape: name.shape) { node, path, reading in
    guard node.text != "all" else {
      reading.error(path, node.position, "every board is in the group all by itself; leave it out")
      return nil
    }
    return name.read(node, path, &reading)
  } write: {
    $0
  }

  /// First levels of topics.
  static let topicLevels = pattern(
    "1 to 4 levels of letters, digits, _ and -, separated by single slashes",
    "^[A-Za-z0-9_-]{1,32}(/[A-Za-z0-9_-]{1,32}){0,3}$"
  ) { text in
    let levels = text.split(separator: "/", omittingEmptySubsequences: false)
    return (1...4).contains(levels.count)
      && levels.allSatisfy { level in
        (1...32).contains(level.utf8.count)
          && level.utf8.allSatisfy { byte in
            Character(Unicode.Scalar(byte)).isASCII
              && (Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
                || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-"))
          }
      }
  }

  /// A name checked by a pattern.
  static func pattern(
    _ words: String, _ pattern: String, _ fits: @escaping @Sendable (String) -> Bool
  ) -> ValueForm {
    .scalar(words, schema: ["type": "string", "pattern": .string(pattern)], write: { $0 }) {
      text throws(Refusal) in
      guard fits(text) else { throw Refusal() }
      return text
    }
  }

  /// Text in quotes where YAML readers of other programs would see a number, a Boolean or a date.
  @Sendable private static func quotedIfNeeded(_ text: String) -> String? {
    let isWord =
      text.first?.isLetter == true
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_./ ".contains($0)) }
    return isWord ? text : JSONText.of(.string(text))
  }
}

extension ValueForm<Int> {
  static func integer(_ range: ClosedRange<Int>) -> ValueForm {
    .scalar(
      "a whole number from \(range.lowerBound) to \(range.upperBound)",
      schema: [
        "type": "integer", "minimum": .integer(Int64(range.lowerBound)),
        "maximum": .integer(Int64(range.upperBound)),
      ], write: { String($0) }
    ) { text throws(Refusal) in
      guard let value = Int(text), range.contains(value) else { throw Refusal() }
      return value
    }
  }
}

extension ValueForm<Double> {
  static func number(_ range: ClosedRange<Double>) -> ValueForm {
    .scalar(
      "a number from \(ParameterType.plain(range.lowerBound)) to \(ParameterType.plain(range.upperBound))",
      schema: ["type": "number", "minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)],
      write: ParameterType.plain
    ) { text throws(Refusal) in
      guard let value = DecimalText.number(text), range.contains(value) else { throw Refusal() }
      return value
    }
  }

  /// A share such as `10%`, as a number from 0 to 100.
  static let percent = ValueForm.scalar(
    "a percentage from 0% to 100%", schema: ["type": "string", "pattern": "^[0-9.]+%$"],
    write: { "\(ParameterType.plain($0))%" }
  ) { text throws(Refusal) in
    guard text.hasSuffix("%"), let value = DecimalText.number(String(text.dropLast())),
      (0...100).contains(value)
    else { throw Refusal(DecimalText.number(text).map { "write \(ParameterType.plain($0))%" }) }
    return value
  }
}

extension ValueForm<Bool> {
  static let boolean = ValueForm.scalar(
    "true or false", schema: ["type": "boolean"], write: { String($0) }
  ) { text throws(Refusal) in
    switch text {
    case "true": return true
    case "false": return false
    case "yes", "on", "True", "TRUE": throw Refusal("write true")
    case "no", "off", "False", "FALSE": throw Refusal("write false")
    default: throw Refusal()
    }
  }
}

extension ValueForm<Duration> {
  static func duration(_ range: ClosedRange<Duration>) -> ValueForm {
    let bounds = "from \(DurationText.format(range.lowerBound)) to \(DurationText.format(range.upperBound))"
    return .scalar(
      "a duration \(bounds)", schema: ["type": "string", "pattern": "^([0-9.]+(ms|s|m|h|d|w))+$"],
      write: DurationText.format
    ) { text throws(Refusal) in
      guard let value = DurationText.parse(text), range.contains(value) else {
        let isBare = DecimalText.number(text) != nil
        throw Refusal(isBare ? "it has no unit: write \(text)s for seconds; units are ms s m h d w" : nil)
      }
      return value
    }
  }
}

extension ValueForm<Int64> {
  /// Bytes such as `200MB` or `1GiB`.
  static let size = ValueForm.scalar(
    "a size such as 200MB or 1GiB",
    schema: ["type": "string", "pattern": "^[0-9.]+([kMGT]?B|[KMGT]iB)$"], write: SizeText.format
  ) { text throws(Refusal) in
    guard let bytes = SizeText.parse(text) else {
      let isBare = DecimalText.number(text) != nil
      throw Refusal(isBare ? "it has no unit: units are B kB MB GB TB and KiB MiB GiB TiB" : nil)
    }
    return bytes
  }
}

extension ValueForm<AdapterID> {
  static let adapter = ValueForm<BluetoothAddress>.address.map({ AdapterID($0) }, back: \.address)
}

extension ValueForm<BoardID> {
  static let board = ValueForm<BluetoothAddress>.address.map({ BoardID($0) }, back: \.address)
}

extension ValueForm<BluetoothAddress> {
  static let address = ValueForm.scalar(
    "a Bluetooth address such as E5:A1:C2:D3:F4:B6",
    schema: ["type": "string", "pattern": "^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$|^[0-9A-Fa-f]{12}$"],
    write: { JSONText.of(.string($0.colonSeparated)) }
  ) { text throws(Refusal) in
    guard let address = BluetoothAddress(text) else { throw Refusal() }
    return address
  }
}

extension ValueForm where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
  /// One of an enumeration's words.
  static var choice: ValueForm {
    let words = Value.allCases.map(\.rawValue)
    return .scalar(
      "one of " + words.joined(separator: ", "), schema: ["enum": .array(words.map { .string($0) })],
      write: { ValueForm<String>.choiceText($0.rawValue) }
    ) { text throws(Refusal) in
      guard let value = Value(rawValue: text) else {
        throw Refusal(Suggestion.nearest(to: text, in: words).map { "did you mean \($0)?" })
      }
      return value
    }
  }
}

extension ValueForm<String> {
  /// One of a list of words.
  static func choice(_ words: [String]) -> ValueForm {
    .scalar(
      "one of " + words.joined(separator: ", "), schema: ["enum": .array(words.map { .string($0) })],
      write: choiceText
    ) { text throws(Refusal) in
      guard words.contains(text) else {
        throw Refusal(Suggestion.nearest(to: text, in: words).map { "did you mean \($0)?" })
      }
      return text
    }
  }

  /// A word of a choice, in quotes where it looks like a number.
  @Sendable fileprivate static func choiceText(_ word: String) -> String {
    word.first?.isNumber == true ? "\"\(word)\"" : word
  }
}
