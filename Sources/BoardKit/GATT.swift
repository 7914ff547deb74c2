/// A 128-bit attribute UUID. Two numbers, because every packet carries one along and compares it.
public struct AttributeUUID: Hashable, Sendable, CustomStringConvertible {
  private let high: UInt64
  private let low: UInt64

  /// Takes a 128-bit UUID in any case, with or without hyphens; other text makes the null UUID, which no attribute
  /// has.
  public init(_ text: String) {
    let digits = text.filter { $0 != "-" }
    let middle = digits.index(digits.startIndex, offsetBy: 16, limitedBy: digits.endIndex) ?? digits.endIndex
    if digits.utf8.count == 32, digits.allSatisfy(\.isHexDigit),
      let high = UInt64(digits[..<middle], radix: 16),
      let low = UInt64(digits[middle...], radix: 16)
    {
      (self.high, self.low) = (high, low)
    } else {
      (high, low) = (0, 0)
    }
  }

  /// A UUID assigned by the Bluetooth SIG.
  public init(assigned number: UInt16) {
    high = UInt64(number) << 32 | 0x1000
    low = 0x8000_0080_5F9B_34FB
  }

  /// `326a9001-85cb-9195-d9dd-464cfbbae75a`, as BlueZ writes it.
  public var description: String {
    let digits = Self.digits(high) + Self.digits(low)
    var text = ""
    for (index, digit) in digits.enumerated() {
      if [8, 12, 16, 20].contains(index) { text.append("-") }
      text.append(digit)
    }
    return text
  }

  private static func digits(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.utf8.count) + digits
  }
}

/// A characteristic of a service. A board has at most one of each pair.
public struct Characteristic: Hashable, Sendable {
  /// The service it belongs to.
  public let service: AttributeUUID
  /// The characteristic itself.
  public let uuid: AttributeUUID

  /// Names a characteristic.
  public init(service: AttributeUUID, uuid: AttributeUUID) {
    self.service = service
    self.uuid = uuid
  }
}

/// How a value is written (ATT's write command and write request).
public enum WriteKind: Sendable {
  /// Without response: done when it is queued.
  case command
  /// With response: done when the board's stack acknowledged it.
  case request
}
