/// What a test reads out of a notification's payload.
extension [UInt8] {
  /// Little-endian i16 values from `offset` on.
  func int16s(from offset: Int = 2) -> [Int16] {
    stride(from: offset, to: count - 1, by: 2).map {
      Int16(bitPattern: UInt16(self[$0]) | UInt16(self[$0 + 1]) << 8)
    }
  }

  /// A little-endian u32.
  func uint32(at offset: Int = 2) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(self[offset + $1]) << UInt32(8 * $1) }
  }

  /// Little-endian f32 values from `offset` on; a trailing byte is left out.
  func floats(from offset: Int = 2) -> [Double] {
    stride(from: offset, to: count - 3, by: 4).map { Double(Float(bitPattern: uint32(at: $0))) }
  }
}
