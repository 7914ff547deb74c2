/// CRC-16/CCITT-FALSE, which an init packet may have of its image: polynomial 1021, from FFFF, nothing reflected.
enum ImageChecksum {
  static func of(_ image: [UInt8]) -> UInt16 {
    var sum: UInt16 = 0xFFFF
    for byte in image {
      sum ^= UInt16(byte) << 8
      for _ in 0..<8 { sum = sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ 0x1021 }
    }
    return sum
  }
}
