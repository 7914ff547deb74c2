import FleetModel

/// The raw entry of a log: nine bytes (protocol reference, section 16.4).
enum LogEntry {
  /// Bytes of one.
  static let size = 9
  /// The log's tick is 48/32768 s; resets are numbered in three bits (section 16.7).
  static let timing = BoardTiming(nanoseconds: 5_859_375, perTicks: 4, resetIDs: 8)

  /// Slot of the logger, from an entry's first byte.
  static func slot(_ head: UInt8) -> UInt8 { head & 0x1F }
  /// Number of the reset, from an entry's first byte.
  static func resetID(_ head: UInt8) -> UInt8 { head >> 5 }

  /// When the entry that begins at `offset` was written; nil when it does not lie wholly inside.
  static func clock(_ entries: RawSpan, at offset: Int) -> BoardTick? {
    guard offset >= 0, entries.byteCount - size >= offset else { return nil }
    return BoardTick(resetID: Int(resetID(head(entries, at: offset))), tick: word(entries, at: offset + 1))
  }

  /// The first byte of the entry at `offset`; the caller has checked that it is there, and the span checks again.
  @inline(__always)
  static func head(_ entries: RawSpan, at offset: Int) -> UInt8 {
    entries.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }

  /// The little-endian word at `offset`; the caller has checked that it is there, and the span checks again.
  @inline(__always)
  static func word(_ entries: RawSpan, at offset: Int) -> UInt32 {
    UInt32(littleEndian: entries.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
  }
}
