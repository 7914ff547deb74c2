import FleetModel

/// One timer of the board: a period, how often, and whether the first tick comes with the start.
struct BoardTimer: Sendable {
  private static let endless: UInt16 = 0xFFFF

  /// As written, for reading back.
  let bytes: [UInt8]
  private let period: Duration
  private let repetitions: UInt16
  private let ticksAtStart: Bool
  /// Whether ticks go to the host.
  var notifies = false
  private(set) var nextTick: Duration?
  private var ticksLeft: UInt16 = 0

  /// Period in milliseconds (u32), repetitions (u16), immediate; nil for anything else. A period of 0 counts as one
  /// millisecond: nothing ticks faster.
  init?(_ payload: [UInt8]) {
    guard payload.count == 7, payload[6] <= 1, let period = UInt32(littleEndian: payload),
      let repetitions = UInt16(littleEndian: payload, at: 4)
    else { return nil }
    bytes = payload
    self.period = .milliseconds(Int64(max(period, 1)))
    self.repetitions = repetitions
    ticksAtStart = payload[6] == 1
  }

  /// A timer that runs starts anew.
  mutating func start(at now: Duration) {
    ticksLeft = repetitions
    nextTick = repetitions == 0 ? nil : ticksAtStart ? now : now + period
  }

  mutating func stop() { nextTick = nil }

  /// The tick that was due has come.
  mutating func tick() {
    guard let tick = nextTick else { return }
    if repetitions != Self.endless { ticksLeft -= 1 }
    nextTick = ticksLeft == 0 ? nil : tick + period
  }
}
