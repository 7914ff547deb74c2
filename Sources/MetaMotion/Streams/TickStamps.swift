import FleetModel

/// When samples were taken that carry the board's tick: packets may be late, ticks are not (protocol reference, section
/// 16.7; MQTT contract 2.5).
///
/// The packet that was on its way for the shortest time tells best how the board's clock stands to ours. What it told
/// is let go of slowly, because both clocks drift. Stamps follow it by at most 15 % of the time that passes, so that
/// they only ever increase (fault F143).
struct TickStamps: Sendable {
  /// Parts per million: more than crystals of ours and the board's drift apart.
  private static let driftPerMillion: Int64 = 100
  /// By how much stamps may be closer together, or further apart, than ticks.
  private static let slewPercent: Int64 = 15
  /// No packet is under way for so long; ticks that say so began anew.
  private static let limit: UInt64 = 60_000_000_000

  /// Ticks without the wrap of 32 bits.
  private var ticks: Int64 = 0
  private var lastTick: UInt32?
  /// From the board's time to ours, in nanoseconds.
  private var offset: Int64 = 0
  /// The offset that stamps use by now.
  private var usedOffset: Int64 = 0
  private var lastArrival = Timestamp(nanoseconds: 0)

  /// Takes note of the newest tick of a packet.
  mutating func arrived(_ tick: UInt32, at arrival: Timestamp) {
    let before = ticks
    ticks &+= lastTick.map { Int64(Int32(bitPattern: tick &- $0)) } ?? Int64(tick)
    let seen = arrival.nanoseconds &- LogClock.nanoseconds(ticks)
    let passed = max(0, arrival.nanoseconds &- lastArrival.nanoseconds)
    let drifted = offset &+ passed / 1_000_000 &* Self.driftPerMillion
    let isKnown = lastTick != nil && (seen &- offset).magnitude < Self.limit
    offset = isKnown ? min(seen, drifted) : seen
    let most = Int64(clamping: LogClock.nanoseconds(ticks &- before).magnitude) / 100 &* Self.slewPercent
    usedOffset = isKnown ? usedOffset &+ max(-most, min(offset &- usedOffset, most)) : offset
    (lastTick, lastArrival) = (tick, arrival)
  }

  /// When a sample of the packet was taken that `arrived` noted.
  func time(of tick: UInt32) -> Timestamp {
    let before = Int64(Int32(bitPattern: tick &- (lastTick ?? tick)))
    return Timestamp(nanoseconds: LogClock.nanoseconds(ticks &+ before) &+ usedOffset)
  }
}
