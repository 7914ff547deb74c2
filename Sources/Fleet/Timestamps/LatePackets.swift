import FleetModel

/// Packets of a stream that came later than the line says, oldest first, until it is clear whether they were late or
/// others were lost before them: the first of them that is in time says that none were. And packets like the one
/// before, until it is clear whether they are that one once more: one behind them that comes as if they were not there
/// says that they are.
struct LatePackets: Sendable {
  struct Packet: Hashable, Sendable {
    /// Samples in it.
    let count: Int
    let arrival: Timestamp
    /// When it was taken, by uptime.
    let uptime: Duration
    /// Whether it may be the one before, once more.
    let mayBeCopy: Bool
    /// Whether that is not clear yet; then it takes no time.
    var isDoubtful: Bool

    init(count: Int, arrival: Timestamp, uptime: Duration, mayBeCopy: Bool = false) {
      (self.count, self.arrival, self.uptime) = (count, arrival, uptime)
      (self.mayBeCopy, isDoubtful) = (mayBeCopy, mayBeCopy)
    }
  }

  /// How late packets are if nothing was lost before any, in nanoseconds.
  struct Lateness: Hashable, Sendable {
    var own: [Int64]
    /// The least from each of them on.
    var least: [Int64]
    /// Which of them, or one before that is nearly as early.
    var leastIndex: [Int]
  }

  /// How long nobody decides after lateness fell last: a clump is over, what was held back has come, and a host that
  /// was busy is punctual again. Where packets come in clumps that last for more than `clumped` of what one spans, the
  /// earliest of a clump says nothing by itself: how late it is goes up and down with the beat of both clocks.
  private static let shortest = Duration.seconds(1)
  private static let ofClumps = Duration.seconds(2)
  private static let clumped = 0.3
  /// Three more packets are waited for, unless that takes longer than this: a live sample is at most five seconds old,
  /// and a busy host takes some of that.
  private static let most = Duration.seconds(3)
  /// More packets than anything sends in the longest time that one waits.
  private static let greatestCount = 10_000
  /// How many intervals it takes to tell a sensor's rate, how many where it may be a multiple of the period (every
  /// second packet lost looks like half the rate), and how many packets are looked at.
  private static let fewestIntervals = 5
  private static let fewestOfMultiples = 8
  private static let mostPackets = 60
  /// Rates that differ by less than this factor are one.
  private static let leastDifference = 1.02

  private(set) var packets: [Packet] = []
  /// What they span, in nanoseconds of the board's.
  private(set) var span: Int64 = 0
  /// What the newest one spans.
  private var newest: Int64 = 0
  /// The least lateness, and when it was seen.
  private var least: (nanoseconds: Int64, at: Duration) = (.max, .zero)

  var isEmpty: Bool { packets.isEmpty }

  mutating func add(_ packet: Packet, span: Int64, _ lateness: Int64) {
    if packets.isEmpty { least = (.max, packet.uptime) }
    packets.append(packet)
    newest = span
    guard !packet.isDoubtful else { return }
    self.span += span
    if least.nanoseconds == .max || lateness < least.nanoseconds &- newest / 4 {
      least = (lateness, packet.uptime)
    }
  }

  /// How long after lateness fell last it is decided. `jitter`: how far lateness spreads, nil where nobody knows.
  func timeout(jitter: Int64?) -> Duration {
    let more = min(.nanoseconds(newest) * 3, Self.most)
    guard let jitter, Double(jitter) < Double(newest) * Self.clumped else { return max(Self.ofClumps, more) }
    return max(min(max(.nanoseconds(jitter) * 4, Self.shortest), Self.ofClumps), more)
  }

  /// By when something has to be decided; nil when nothing waits.
  func due(jitter: Int64?) -> Duration? {
    guard let first = packets.first else { return nil }
    guard packets.count < Self.greatestCount else { return first.uptime }
    return min(least.at + timeout(jitter: jitter), first.uptime + Self.most)
  }

  /// Whether the packet at `index` has waited for long enough, its lateness being what it is.
  func isOver(_ index: Int, _ lateness: Lateness, at uptime: Duration, jitter: Int64?) -> Bool {
    uptime - packets[lateness.leastIndex[index]].uptime >= timeout(jitter: jitter)
      || uptime - packets[index].uptime >= Self.most || packets.count >= Self.greatestCount
  }

  func lateness(by line: ArrivalLine, period: Int64) -> Lateness {
    var span: Int64 = 0
    let own = packets.map { packet in
      guard !packet.isDoubtful else { return Int64.max / 2 }
      span += Int64(packet.count) * period
      return line.lateness(of: packet.arrival, after: span)
    }
    var (least, indices) = (own, Array(own.indices))
    for index in own.indices.dropLast().reversed() {
      // The one before is the better witness where both are nearly alike: it has been there for longer.
      let isNearly = own[index] < least[index + 1] &+ newest / 4
      indices[index] = isNearly ? index : indices[index + 1]
      least[index] = min(own[index], least[index + 1])
    }
    return Lateness(own: own, least: least, leastIndex: indices)
  }

  /// Whether a packet behind the doubtful one at `index` came when the sensor could not have sent both, by more than
  /// `earliest` nanoseconds.
  func isCopy(_ index: Int, _ lateness: Lateness, period: Int64, earliest: Int64) -> Bool {
    let span = Int64(packets[index].count) * period
    return packets.indices.contains {
      $0 > index && !packets[$0].isDoubtful && lateness.own[$0] < span - max(span / 4, earliest)
    }
  }

  /// The first packet is one of its own: those behind it lie a packet later.
  mutating func trustFirst(period: Int64, by line: ArrivalLine) {
    packets[0].isDoubtful = false
    span += Int64(packets[0].count) * period
    awaitLeast(by: line, period: period)
  }

  /// The rate, slower than that of the `line`, at which the packets from `index` on come: our time in one second of the
  /// board's, less one. Nil where that cannot be told, or it is no other.
  func ownRate(from index: Int, period: Int64, by line: ArrivalLine) -> Double? {
    let packets = packets[index...].prefix { !$0.isDoubtful }.suffix(Self.mostPackets)
    guard let first = packets.first, packets.count > Self.fewestIntervals else { return nil }
    var position = -Int64(first.count) * period
    let search = RateSearch(
      packets: packets.map { packet in
        position += Int64(packet.count) * period
        return .init(
          arrival: Double((packet.arrival - first.arrival).wholeNanoseconds), position: Double(position))
      }, span: Double(newest))
    let rate = search.best(near: 1 + line.rate, rightIn: line.windows)
    let difference = rate / (1 + line.rate)
    guard difference > Self.leastDifference else { return nil }
    let isMultiple = difference > 1.5 && abs(difference - difference.rounded()) < 0.04
    guard !isMultiple || packets.count > Self.fewestOfMultiples else { return nil }
    return rate - 1
  }

  /// Leaves out those that were placed; what is left waits on.
  mutating func remove(first count: Int, period: Int64, by line: ArrivalLine) {
    for packet in packets.prefix(count) where !packet.isDoubtful { span -= Int64(packet.count) * period }
    packets.removeFirst(count)
    guard count > 0, !packets.isEmpty else { return }
    awaitLeast(by: line, period: period)
  }

  private mutating func awaitLeast(by line: ArrivalLine, period: Int64) {
    let lateness = lateness(by: line, period: period)
    least = (lateness.least[0], packets[lateness.leastIndex[0]].uptime)
  }
}
