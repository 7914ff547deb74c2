/// Which bytes of a signal a processor or logger takes: offset in bits 0 to 4, length - 1 in bits 5 to 7
/// (protocol reference 14.2).
struct SignalSlice: Sendable, Equatable {
  let byte: UInt8

  var offset: Int { Int(byte & 0x1F) }
  var length: Int { Int(byte >> 5) + 1 }

  /// Nil if the signal is too short.
  func bytes(of payload: [UInt8]) -> [UInt8]? {
    guard payload.count >= offset + length else { return nil }
    return Array(payload[offset..<offset + length])
  }

  /// What a processor takes. Three bits hold lengths up to 8; for a longer signal the host writes what is left of its
  /// length, and the firmware, which knows the true length, takes the whole.
  func input(of payload: [UInt8]) -> [UInt8]? {
    if payload.count > 8, offset == 0, UInt8(truncatingIfNeeded: (payload.count - 1) << 5) == byte {
      return payload
    }
    return bytes(of: payload)
  }
}
