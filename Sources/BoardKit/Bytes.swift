/// Little-endian numbers in packets: reading that cannot trap, and writing.
extension [UInt8] {
  /// The number that begins at `offset`; nil when it does not lie wholly inside.
  package func number<Number: FixedWidthInteger>(at offset: Int, as type: Number.Type = Number.self)
    -> Number?
  {
    let width = Number.bitWidth / 8
    guard offset >= 0, offset <= count - width else { return nil }
    var number: Number = 0
    for index in (0..<width).reversed() {
      // Shifted in two steps, because a one-byte number may not be shifted by its own width.
      number = (number << 4) << 4 | Number(truncatingIfNeeded: self[offset + index])
    }
    return number
  }

  /// Adds `number`, least significant byte first.
  package mutating func append(number: some FixedWidthInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) {
      append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  /// Two lower-case digits per byte, without separators.
  package var hex: String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
