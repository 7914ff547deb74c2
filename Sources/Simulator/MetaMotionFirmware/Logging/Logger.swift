/// One logger: up to four bytes of a signal (protocol reference 16.2).
struct Logger: Sendable, Equatable {
  /// As written, for reading back.
  let bytes: [UInt8]
  let source: SignalSource
  let slice: SignalSlice

  /// Nil for a payload of the wrong length or for more than four bytes of a signal.
  init?(_ payload: [UInt8]) {
    guard payload.count == 4, let source = SignalSource(payload) else { return nil }
    bytes = payload
    self.source = source
    slice = SignalSlice(byte: payload[3])
    guard slice.length <= 4 else { return nil }
  }
}
