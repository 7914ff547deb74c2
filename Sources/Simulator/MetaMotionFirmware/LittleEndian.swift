extension FixedWidthInteger {
  /// The bytes as they travel: least significant first.
  var littleEndianBytes: [UInt8] {
    (0..<(Self.bitWidth / 8)).map { UInt8(truncatingIfNeeded: self >> Self($0 * 8)) }
  }

  /// Reads as many bytes as the type has, starting at `offset`; nil if there are not enough.
  init?(littleEndian bytes: [UInt8], at offset: Int = 0) {
    let width = Self.bitWidth / 8
    guard offset >= 0, bytes.count - offset >= width else { return nil }
    self = (0..<width).reduce(0) { $0 | Self(truncatingIfNeeded: bytes[offset + $1]) << Self($1 * 8) }
  }
}
