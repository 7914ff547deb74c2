/// How the three-axis sensors deliver: one sample per packet, or three of them in one packet for the host alone,
/// which no consumer on the board can take (protocol reference 7).
struct VectorStream: Sendable {
  let module: UInt8
  let data: UInt8
  /// Register that carries three samples per packet; nil where the firmware lacks it.
  let packed: UInt8?
  var clock: SampleClock?

  func nextEvent(on board: Mainboard) -> Duration? {
    guard let clock else { return nil }
    if board.isWanted(module, data) { return clock.next(after: board.now, every: 1) }
    guard let packed, board.isWanted(module, packed) else { return nil }
    return clock.next(after: board.now, every: 3)
  }

  /// Sends what is due now. `sample` gives the six bytes of a sample at a time.
  func fire(on board: inout Mainboard, sample: (Duration, Mainboard) -> [UInt8]) {
    guard let clock, clock.isTick(board.now) else { return }
    let index = clock.index(at: board.now)
    if board.isWanted(module, data) { board.fire(module, data, taken(at: board.now, on: &board, sample)) }
    if let packed, index % 3 == 0, board.isWanted(module, packed) {
      board.fire(
        module, packed, (index - 2...index).flatMap { taken(at: clock.time(of: $0), on: &board, sample) })
    }
  }

  private func taken(
    at time: Duration, on board: inout Mainboard, _ sample: (Duration, Mainboard) -> [UInt8]
  ) -> [UInt8] {
    let bytes = sample(time, board)
    board.note(sample: bytes, of: module, at: time)
    return bytes
  }

  /// When the sample that was taken last was taken; nil before the first.
  func latest(at now: Duration) -> Duration? {
    guard let clock, clock.index(at: now) > 0 else { return nil }
    return clock.time(of: clock.index(at: now))
  }

  /// Three i16 in units of `1 / scale`, saturated as the chip's registers are.
  static func bytes(_ value: SIMD3<Double>, scale: Double) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(6)
    for axis in 0..<3 {
      let raw = Int16(max(min((value[axis] * scale).rounded(), 32767), -32768))
      bytes.append(UInt8(truncatingIfNeeded: raw))
      bytes.append(UInt8(truncatingIfNeeded: raw >> 8))
    }
    return bytes
  }
}
