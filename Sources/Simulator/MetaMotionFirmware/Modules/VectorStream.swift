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
    let stride = stride(on: board)
    if board.isWanted(module, data) { return clock.next(after: board.now, every: stride) }
    guard let packed, board.isWanted(module, packed) else { return nil }
    return clock.next(after: board.now, every: 3 * stride)
  }

  /// Sends what is due now. `sample` gives the six bytes of a sample at a time, in units of `1 / scale`.
  func fire(on board: inout Mainboard, scale: Double, sample: (Duration, Mainboard) -> [UInt8]) {
    guard let clock, clock.isTick(board.now) else { return }
    let (index, stride) = (clock.index(at: board.now), stride(on: board))
    guard index % stride == 0 else { return }
    if board.isWanted(module, data) {
      board.handOn(
        SignalSource(module: module, register: data), taken(at: board.now, on: &board, scale, sample))
    }
    if let packed, index % (3 * stride) == 0, board.isWanted(module, packed) {
      board.handOn(
        SignalSource(module: module, register: packed),
        [index - 2 * stride, index - stride, index].flatMap {
          taken(at: clock.time(of: $0), on: &board, scale, sample)
        })
    }
  }

  private func taken(
    at time: Duration, on board: inout Mainboard, _ scale: Double, _ sample: (Duration, Mainboard) -> [UInt8]
  ) -> [UInt8] {
    let bytes = sample(time, board)
    board.note(sample: bytes, of: module, at: time)
    board.note(action: .felt(module: module, Self.value(bytes, scale: scale)), at: time)
    return bytes
  }

  private func stride(on board: Mainboard) -> Int64 { board.sensors.strides[module] ?? 1 }

  /// When the sample that was delivered last was taken; nil before the first.
  func latest(on board: Mainboard) -> Duration? {
    guard let clock else { return nil }
    let index = clock.index(at: board.now) / stride(on: board) * stride(on: board)
    return index > 0 ? clock.time(of: index) : nil
  }

  /// What three i16 in units of `1 / scale` stand for.
  static func value(_ bytes: [UInt8], scale: Double) -> SIMD3<Double> {
    var value = SIMD3<Double>.zero
    for axis in 0..<3 where bytes.count > 2 * axis + 1 {
      let raw = Int16(bitPattern: UInt16(bytes[2 * axis]) | UInt16(bytes[2 * axis + 1]) << 8)
      value[axis] = Double(raw) / scale
    }
    return value
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
