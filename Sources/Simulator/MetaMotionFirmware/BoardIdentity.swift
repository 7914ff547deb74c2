/// What tells one board from another of its model.
package struct BoardIdentity: Sendable, Equatable {
  /// Six bytes, as written: most significant first. A random static address.
  package let address: [UInt8]
  package let serial: String

  /// Board `number`, from 1: `C0:FF:EE:00:` and the number as four hexadecimal digits.
  package init(number: UInt16) {
    let high = UInt8(number >> 8)
    let low = UInt8(number & 0xFF)
    address = [0xC0, 0xFF, 0xEE, 0x00, high, low]
    serial = "05" + [high, low].map(Self.hexadecimal).joined()
  }

  /// `C0:FF:EE:00:00:01`
  package var addressText: String { address.map(Self.hexadecimal).joined(separator: ":") }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "0" + digits : digits
  }
}
