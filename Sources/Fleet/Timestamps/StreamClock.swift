import FleetModel

/// Gives the samples of a sensor that runs at a known rate their times: its samples are counted, and lie on a line
/// through the arrivals of their packets. What comes later than the line says waits until it is clear whether it was
/// late, or others were lost before it.
///
/// Pure: it says where packets lie, and touches none of their samples.
struct StreamClock: Sendable {
  /// Where the samples of a packet lie.
  struct Placement: Hashable, Sendable {
    /// Its samples.
    var count: Int
    /// Time of its last sample.
    var last: Timestamp
    /// From sample to sample, in nanoseconds.
    var step: Int64
    /// Samples that are missing before it.
    var lost = 0
    /// How far its stamps are known to be off, in nanoseconds.
    var offset: Int64 = 0
    /// Whether it is the packet before once more, and has no place.
    var isCopy = false
    /// Whether it might have been the packet before once more, and is one of its own.
    var isRepetition = false

    /// Time of its first sample.
    var first: Timestamp { time(of: 0) }

    /// Time of the sample `index`.
    func time(of index: Int) -> Timestamp {
      Timestamp(nanoseconds: last.nanoseconds &- Int64(count &- 1 &- index) &* step)
    }
  }

  /// Share of a packet's span by which it may be late before one before it is missed.
  private static let lateShare = 0.55
  /// Where lateness spreads by more than this share of a packet's span, packets come in clumps: what is as late as a
  /// clump lasts says nothing then.
  private static let clumped = 0.5
  /// Packets are early by so much without meaning anything, in nanoseconds.
  private static let earliest: Int64 = 1_000_000
  /// A hole of so many packets is longer than the rate is known well enough for; behind it the line is tied to arrivals
  /// anew.
  private static let longHole = 16
  /// How far sensors that keep their period only about may be off, as a share. Assumed: nothing is known of it.
  private static let irregularity = 0.5
  private static let irregularTolerance: Int64 = 1_000_000_000
  /// Nobody counts further, or slower.
  private static let longestPeriod: Int64 = 1_000_000_000_000_000
  private static let mostMissed = 1e12
  /// A step of our clock explains lateness that differs from it by so much.
  private static let stepTolerance: UInt64 = 300_000_000

  /// Time between two samples as the sensor was set, in nanoseconds.
  let period: Int64
  /// Whether the period is kept well enough for single packets to be missed by it.
  private let isRegular: Bool
  private(set) var line: ArrivalLine?
  private(set) var late = LatePackets()

  init(period: Duration, isRegular: Bool) {
    self.period = min(max(1, period.wholeNanoseconds), Self.longestPeriod)
    self.isRegular = isRegular
  }

  /// How far stamps are known to be off, in nanoseconds.
  var offset: Int64 { line?.uncertainty ?? 0 }

  /// Takes a packet that comes as the line says, as nearly all do. Returns nil for any other, which is for `takeOther`.
  @inline(__always)
  mutating func take(_ count: Int, at arrival: Timestamp) -> Placement? {
    guard line != nil, late.isEmpty else { return nil }
    let span = Int64(count) &* period
    let lateness = line?.lateness(of: arrival, after: span) ?? 0
    guard lateness >= -max(span / 4, Self.earliest), lateness <= tolerance(span) else { return nil }
    line?.note(lateness, span: span)
    return place(count)
  }

  /// Begins a line at the first packet, behind `floor`.
  mutating func begin(_ count: Int, at arrival: Timestamp, behind floor: Timestamp?) -> Placement {
    var line = ArrivalLine(
      at: arrival, packets: ArrivalLine.packetsInWindow * Int64(count) * period,
      slowest: isRegular ? ArrivalLine.slowest : Self.irregularity)
    let first = arrival.nanoseconds &- Int64(count - 1) &* period
    if let floor, first <= floor.nanoseconds {
      // Our clock was set back: stamps go on where they stood, until it has caught up.
      let ahead = floor.nanoseconds &+ period &- first
      line.jump(by: ahead)
      line.correct(by: -ahead)
    }
    self.line = line
    late = LatePackets()
    return Placement(count: count, last: line.time, step: period, offset: line.uncertainty)
  }

  /// Whether it can tell a packet from one that came twice by when those behind it come.
  var detectsDuplicates: Bool { isRegular && (line?.windows ?? 0) > 0 }

  /// Whether a packet is one more than the sensor can have sent since another one arrived, as far as the line says.
  func isExcess(_ count: Int, at arrival: Timestamp, behind other: Timestamp) -> Bool {
    guard detectsDuplicates, let line else { return false }
    let span = Int64(count) &* period
    return (arrival - other).wholeNanoseconds < span / 2
      && line.lateness(of: arrival, after: late.span + span) < -max(span / 4, Self.earliest)
  }

  /// Takes a packet that is early, late, or behind one that waits. Returns where those packets lie, oldest first, whose
  /// places are clear now. `mayBeCopy`: it may be the one before once more. `setForward`: by how many nanoseconds our
  /// clock was set forward lately.
  mutating func takeOther(
    _ count: Int, at arrival: Timestamp, mayBeCopy: Bool = false, uptime: Duration, setForward: Int64
  ) -> [Placement] {
    guard let line else { return [] }
    let span = Int64(count) &* period
    let lateness = line.lateness(of: arrival, after: late.span + span)
    late.add(
      LatePackets.Packet(count: count, arrival: arrival, uptime: uptime, mayBeCopy: mayBeCopy), span: span,
      lateness)
    let isClear = !mayBeCopy && lateness <= tolerance(span) || due.map { $0 <= uptime } ?? false
    return isClear ? placeWaiting(at: uptime, setForward: setForward) : []
  }

  /// By when something has to be decided about what waits; nil when nothing does.
  var due: Duration? { late.due(jitter: jitter) }

  /// Decides about what waits, when its time is over; with `force` in any case.
  mutating func expire(_ uptime: Duration, setForward: Int64, force: Bool = false) -> [Placement] {
    guard force || due.map({ $0 <= uptime }) ?? false else { return [] }
    return placeWaiting(at: uptime, setForward: setForward, force: force)
  }

  /// How far lateness spreads in nanoseconds; nil as long as nobody knows.
  private var jitter: Int64? { line.flatMap { $0.windows > 0 ? $0.jitter : nil } }

  /// Lateness, in nanoseconds, up to which nothing is missing before a packet of this span.
  private func tolerance(_ span: Int64) -> Int64 {
    guard let line else { return .max }
    guard isRegular else {
      return max(line.tolerance, line.base + max(2 * span, Self.irregularTolerance))
    }
    let jitter = line.jitter
    let clump = Double(jitter) > Double(span) * Self.clumped ? jitter + jitter / 4 : 0
    let step = max(clump, Int64(Double(span) * Self.lateShare))
    // The lateness of a sensor that is known well does not grow.
    return line.isKnown && span >= ArrivalLine.distinguishable ? step : max(line.tolerance, line.base + step)
  }

  private mutating func place(_ count: Int) -> Placement {
    let before = line?.time.nanoseconds ?? 0
    let last = line?.advance(by: Int64(count) &* period) ?? Timestamp(nanoseconds: 0)
    return Placement(
      count: count, last: last, step: (last.nanoseconds &- before) / Int64(count), offset: offset)
  }

  /// Places what waits as far as it is clear: whatever is followed by something in time was late itself. What is not,
  /// and has waited for long enough, lies behind a hole. A slower rate that explains them is adopted at most
  /// `adoptions` times.
  private mutating func placeWaiting(
    at uptime: Duration, setForward: Int64, force: Bool = false, adoptions: Int = 8
  ) -> [Placement] {
    guard let known = line else { return [] }
    let lateness = late.lateness(by: known, period: period)
    var placed: [Placement] = []
    var (noted, longest) = (Int64(0), Int64(0))
    for (index, packet) in late.packets.enumerated() {
      if packet.isDoubtful {
        if late.isCopy(index, lateness, period: period, earliest: Self.earliest) {
          placed.append(Placement(count: packet.count, last: known.time, step: 0, isCopy: true))
          continue
        }
        guard force || late.isOver(index, lateness, at: uptime, jitter: jitter) else { break }
        drop(index)
        late.trustFirst(period: period, by: line ?? known)
        return placed + placeWaiting(at: uptime, setForward: setForward, force: force, adoptions: adoptions)
      }
      let span = Int64(packet.count) &* period
      // By the line as it is behind those that were just placed.
      let own = line?.lateness(of: packet.arrival, after: span) ?? 0
      let delay = lateness.own[index] &- lateness.least[index]
      var (least, lost) = (own &- delay, 0)
      if least > tolerance(span) {
        guard force || late.isOver(index, lateness, at: uptime, jitter: jitter) else { break }
        // A sensor that was seen to run at its rate does not change it by itself.
        if adoptions > 0, isRegular, !known.isProven,
          let rate = late.ownRate(from: index, period: period, by: known)
        {
          line?.adopt(rate: rate)
          drop(index)
          return placed
            + placeWaiting(at: uptime, setForward: setForward, force: force, adoptions: adoptions - 1)
        }
        let hole = hole(least, packet.count, setForward)
        (lost, least) = (hole.lost, least &- hole.shift)
      }
      (noted, longest) = (noted &+ span, max(longest, delay))
      if lateness.leastIndex[index] == index {
        // Those before it tell nothing more: they waited for it.
        line?.note(least, span: noted, delay: longest)
        (noted, longest) = (0, 0)
      }
      var place = place(packet.count)
      (place.lost, place.isRepetition) = (lost, packet.mayBeCopy)
      placed.append(place)
    }
    drop(placed.count)
    // What the last of them told of the line counts for all.
    for index in placed.indices { placed[index].offset = offset }
    return placed
  }

  private mutating func drop(_ count: Int) {
    if let line { late.remove(first: count, period: period, by: line) }
  }

  /// What lateness that stays is due to: our clock, or samples that are missing. The line goes on behind it.
  private mutating func hole(
    _ lateness: Int64, _ count: Int, _ setForward: Int64
  ) -> (lost: Int, shift: Int64) {
    guard let known = line else { return (0, 0) }
    if setForward > 0, (lateness &- setForward).magnitude < Self.stepTolerance {
      line?.jump(by: lateness)
      return (0, lateness)
    }
    let packet = Double(known.spanned(Int64(count) &* period))
    let packets = max(1, (Double(lateness &- known.base) / packet).rounded())
    var skipped = Int64(packets * packet)
    if packets >= Double(Self.longHole) { skipped = lateness }
    line?.jump(by: skipped)
    return (Int(min(packets, Self.mostMissed)) * count, skipped)
  }
}
