/// An identifier that sorts by time: 48 bits of milliseconds, 80 random bits, in Crockford's base 32.
public struct ULID: Hashable, Sendable, CustomStringConvertible {
  /// 26 characters of `0-9A-HJKMNP-TV-Z`.
  public let description: String

  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// Reads an identifier as it was written; nil for what is none.
  public init?(_ text: String) {
    let bytes = text.utf8
    // Three bits are in the first character.
    guard bytes.count == 26, let first = bytes.first, first <= UInt8(ascii: "7"),
      bytes.allSatisfy({ Self.alphabet.contains($0) })
    else { return nil }
    description = text
  }

  /// Makes an identifier from a time and a source of randomness, both given, so that simulations repeat.
  public init(at time: Timestamp, using random: inout some RandomNumberGenerator) {
    let milliseconds = UInt64(clamping: time.milliseconds) & 0xFFFF_FFFF_FFFF
    let high = UInt64(random.next() as UInt16)
    let low: UInt64 = random.next()
    // 128 bits: 48 time, 16 + 64 random; read off from the top in groups of five, the first of three.
    let upper = milliseconds << 16 | high
    var characters: [UInt8] = []
    characters.reserveCapacity(26)
    for position in 0..<26 {
      let shift = 125 - 5 * position
      let group: UInt64 =
        if shift >= 64 {
          upper >> UInt64(shift - 64)
        } else if shift > 59 {
          upper << UInt64(64 - shift) | low >> UInt64(shift)
        } else {
          low >> UInt64(shift)
        }
      characters.append(Self.alphabet[Int(group & 31)])
    }
    description = String(decoding: characters, as: UTF8.self)
  }
}
