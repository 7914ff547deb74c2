import BoardKit

/// What stands in a logger's slot: which bytes of which signal it writes down (protocol reference, section 16.2).
struct LoggerEntry: Hashable, Sendable {
  var source: SignalAddress
  var slice: Slice

  static let creation = Register(.logging, 0x02)
  private static let removal = Register(.logging, 0x03)
  static let removeAll = Register(.logging, 0x0A).write()
  /// Bytes that one logger can hold.
  static let chunk = 4

  init(source: SignalAddress, slice: Slice) { (self.source, self.slice) = (source, slice) }

  /// Creates it; the board answers with the slot.
  var command: [UInt8] { Self.creation.write(source.bytes + [slice.byte]) }

  /// Reads the answer to a read of `creation`; nil for an empty slot, which boards tell in more than one way (trap
  /// T14).
  init?(_ reply: [UInt8]) {
    guard reply.count >= 6, let source = SignalAddress(reply, at: 2) else { return nil }
    self.init(
      source: source,
      // Loggers hold at most four bytes; the bit above belongs to nothing.
      slice: Slice(offset: Int(reply[5] & 0x1F), length: Int(reply[5] >> 5 & 0b11) + 1))
  }

  /// The loggers that a signal takes, one per four bytes and in that order.
  static func chunks(of signal: Signal) -> [LoggerEntry] {
    let length = signal.layout.byteCount
    return stride(from: 0, to: length, by: chunk).map { start in
      LoggerEntry(
        source: signal.heardByLoggers.address,
        slice: Slice(offset: signal.offset + start, length: min(chunk, length - start)))
    }
  }

  /// The slot that a board assigned, from the answer to a creation; nil when it is none.
  static func slot(_ reply: [UInt8]) -> UInt8? { reply.number(at: 2, as: UInt8.self) }
  static func remove(_ slot: UInt8) -> [UInt8] { removal.write(slot) }
}
