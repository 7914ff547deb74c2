/// A 48-bit Bluetooth device address.
public struct BluetoothAddress: Hashable, Comparable, Sendable {
  /// The address as a number, most significant byte first: `E5:A1:C2:D3:F4:B6` is 0xE5A1C2D3F4B6.
  public let rawValue: UInt64

  /// Takes the low 48 bits of `rawValue`.
  public init(rawValue: UInt64) { self.rawValue = rawValue & 0xFFFF_FFFF_FFFF }

  /// Reads `E5:A1:C2:D3:F4:B6` or `e5a1c2d3f4b6`, in any case; anything else gives nil.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    var value: UInt64 = 0
    switch bytes.count {
    case 12: break
    case 17:
      guard stride(from: 2, to: 17, by: 3).allSatisfy({ bytes[$0] == UInt8(ascii: ":") }) else { return nil }
    default: return nil
    }
    var digits = 0
    for (index, byte) in bytes.enumerated() where bytes.count == 12 || index % 3 != 2 {
      guard let digit = Self.hexDigit(byte) else { return nil }
      value = value << 4 | digit
      digits += 1
    }
    guard digits == 12 else { return nil }
    rawValue = value
  }

  private static func hexDigit(_ byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }

  /// Twelve lower-case hexadecimal digits, as topics and payloads use them.
  public var compact: String {
    String(unsafeUninitializedCapacity: 12) { text in
      for index in 0..<12 {
        let digit = UInt8(truncatingIfNeeded: rawValue >> UInt64(44 - 4 * index)) & 15
        text[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      }
      return 12
    }
  }

  /// Upper case with colons, as BlueZ and people write it.
  public var colonSeparated: String {
    var text = ""
    for (index, character) in compact.uppercased().enumerated() {
      if index > 0 && index % 2 == 0 { text.append(":") }
      text.append(character)
    }
    return text
  }

  /// Orders by number.
  public static func < (left: BluetoothAddress, right: BluetoothAddress) -> Bool {
    left.rawValue < right.rawValue
  }
}
