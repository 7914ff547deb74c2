/// Numbers as the file writes them: digits with at most one point and a sign, no exponent, no blanks.
package enum DecimalText {
  package static func number(_ text: String) -> Double? {
    let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : Substring(text)
    guard digits.first?.isNumber == true, digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") })
    else {
      return nil
    }
    return Double(text)
  }
}

/// Sizes as people write them: `200MB`, `1GiB` (MQTT contract 7.1).
package enum SizeText {
  private static let units: [(name: String, bytes: Double)] = [
    ("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("TiB", 0x1p40), ("GiB", 0x1p30), ("MiB", 0x1p20),
    ("KiB", 0x1p10), ("B", 1),
  ]

  /// Reads number and unit; nil when it is not a size or beyond 8 EiB.
  package static func parse(_ text: String) -> Int64? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    let name = text.dropFirst(digits.count)
    guard let amount = DecimalText.number(String(digits)),
      let unit = units.first(where: { $0.name == name })
    else { return nil }
    return Int64(exactly: (amount * unit.bytes).rounded())
  }

  /// Writes a size in the largest decimal unit that divides it.
  package static func format(_ bytes: Int64) -> String {
    for (name, size) in [
      ("TB", Int64(1_000_000_000_000)), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000),
    ]
    where bytes > 0 && bytes % size == 0 {
      return "\(bytes / size)\(name)"
    }
    return "\(bytes)B"
  }
}

/// Shares as the file writes them: `10%` (MQTT contract 7.1).
package enum PercentText {
  /// Reads a share from 0 to 100; nil when it is not one.
  package static func parse(_ text: String) -> Double? {
    guard text.hasSuffix("%"), let value = DecimalText.number(String(text.dropLast())),
      (0...100).contains(value)
    else { return nil }
    return value
  }

  /// Writes a share.
  package static func format(_ share: Double) -> String { "\(ParameterType.plain(share))%" }
}
