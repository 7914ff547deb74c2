import FleetModel

/// What one colour of the LED is to do, as programmed by the host (protocol reference 6).
package struct LEDPattern: Sendable, Equatable {
  /// As written, the colour included, for reading back.
  let bytes: [UInt8]
  private let shape: Shape
  /// Nil means forever.
  private let repeats: Int?

  private enum Shape: Sendable, Equatable {
    case solid
    case blink(high: UInt8, low: UInt8, onTime: Int, period: Int, offset: Int)
    case pulse(high: UInt8, low: UInt8, rise: Int, highTime: Int, fall: Int, period: Int, delay: Int)

    /// Milliseconds of the first and of each further cycle.
    var timing: (delay: Int, period: Int)? {
      switch self {
      case .solid: nil
      case .blink(_, _, _, let period, let offset): (offset, period)
      case .pulse(_, _, _, _, _, let period, let delay): (delay, period)
      }
    }
  }

  /// Nil for a payload that the firmware drops. Before revision 1 the delay is not honoured.
  init?(payload: [UInt8], revision: UInt8) {
    guard payload.count >= 2, payload[0] <= 2 else { return nil }
    func milliseconds(_ offset: Int) -> Int { UInt16(littleEndian: payload, at: offset).map(Int.init) ?? 0 }
    switch (payload[1], payload.count) {
    case (0, 2):
      shape = .solid
      repeats = nil
    case (1, 11):
      shape = .blink(
        high: payload[2], low: payload[3], onTime: milliseconds(4), period: milliseconds(6),
        offset: milliseconds(8))
      repeats = Self.repeats(payload[10])
    case (2, 15):
      shape = .pulse(
        high: payload[2], low: payload[3], rise: milliseconds(4), highTime: milliseconds(6),
        fall: milliseconds(8), period: milliseconds(10), delay: revision >= 1 ? milliseconds(12) : 0)
      repeats = Self.repeats(payload[14])
    default:
      return nil
    }
    bytes = payload
  }

  private static func repeats(_ byte: UInt8) -> Int? { byte == 0xFF ? nil : Int(byte) }

  /// How long it is shown; nil for ever.
  var length: Duration? {
    guard let timing = shape.timing, let repeats else { return nil }
    return .milliseconds(timing.delay + repeats * timing.period)
  }

  /// False once every cycle has been shown.
  func isRunning(after elapsed: Duration) -> Bool {
    length.map { elapsed < $0 } ?? true
  }

  /// Brightness from 0 to 31, `elapsed` after play.
  func intensity(after elapsed: Duration) -> UInt8 {
    guard isRunning(after: elapsed) else { return 0 }
    let position = Int(elapsed.wholeNanoseconds / 1_000_000)
    switch shape {
    case .solid:
      return 31
    case .blink(let high, let low, let onTime, let period, let offset):
      guard position >= offset, period > 0 else { return low }
      return (position - offset) % period < onTime ? high : low
    case .pulse(let high, let low, let rise, let highTime, let fall, let period, let delay):
      guard position >= delay, period > 0 else { return low }
      let phase = (position - delay) % period
      let (top, end) = (rise + highTime, rise + highTime + fall)
      if phase < rise { return Self.mix(low, high, phase, of: rise) }
      if phase < top { return high }
      return phase < end ? Self.mix(high, low, phase - top, of: fall) : low
    }
  }

  private static func mix(_ from: UInt8, _ to: UInt8, _ step: Int, of steps: Int) -> UInt8 {
    UInt8(clamping: Int(from) + (Int(to) - Int(from)) * step / steps)
  }
}
