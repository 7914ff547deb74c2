/// Which bytes of a signal are meant (protocol reference, section 14.2).
struct Slice: Hashable, Sendable {
  /// First byte, 0–31.
  let offset: Int
  /// 1–8 bytes on the wire; longer lengths overflow into fewer, and the firmware knows the true one.
  let length: Int

  init(offset: Int, length: Int) {
    self.offset = offset
    self.length = length
  }

  /// Reads the byte of the wire.
  init(_ byte: UInt8) { self.init(offset: Int(byte & 0x1F), length: Int(byte >> 5) + 1) }

  /// Length less one in the upper three bits, offset in the lower five.
  var byte: UInt8 {
    UInt8(truncatingIfNeeded: (length &- 1) << 5) | UInt8(truncatingIfNeeded: offset & 0x1F)
  }
}
