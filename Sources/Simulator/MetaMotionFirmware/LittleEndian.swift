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

extension Int64 {
  /// A number of 0 to 8 bytes, as processors handle them.
  init(littleEndian bytes: some Collection<UInt8>, isSigned: Bool) {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    for byte in bytes.prefix(8) {
      value |= UInt64(byte) << shift
      shift += 8
    }
    let unused = 64 - shift
    self =
      isSigned && unused < 64 ? Int64(bitPattern: value << unused) >> Int64(unused) : Int64(bitPattern: value)
  }

  /// The lowest `count` bytes; what does not fit is cut off, as the firmware does.
  func littleEndianBytes(count: Int) -> [UInt8] {
    (0..<Swift.max(count, 0)).map { UInt8(truncatingIfNeeded: self >> Int64(Swift.min($0, 7) * 8)) }
  }
}
