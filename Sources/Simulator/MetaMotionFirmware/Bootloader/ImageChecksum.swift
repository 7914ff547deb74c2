/// The checksum of an image: CRC-16 with the polynomial 1021 and the start FFFF, nothing reflected or inverted.
enum ImageChecksum {
  private static let start: UInt16 = 0xFFFF
  private static let polynomial: UInt16 = 0x1021

  static func of(_ bytes: [UInt8]) -> UInt16 {
    bytes.reduce(start) { sum, byte in sum << 8 ^ table[Int(sum >> 8) ^ Int(byte)] }
  }

  private static let table: [UInt16] = (0..<256).map { index in
    (0..<8).reduce(UInt16(index) << 8) { sum, _ in sum & 0x8000 == 0 ? sum << 1 : sum << 1 ^ polynomial }
  }
}
