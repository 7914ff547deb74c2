/// Ties a board's own time, counted in samples or ticks, to ours by when its packets arrive: a line through the
/// earliest of them, because a packet may be late and never early. Offset and rate follow slowly; packets that come in
/// clumps, or late, leave no trace in it.
///
/// Positions on the line only ever go forward, in steps that differ from the board's by at most `greatestSlew`: what
/// the line is found to be off is made up for over half a second, or as long as it takes.
public struct ArrivalLine: Sendable {
  /// Share of a step by which it may be longer or shorter than the board's.
  static let greatestSlew = 0.15
  /// How long a correction is spread, in nanoseconds.
  private static let slewing = 500_000_000.0
  /// Its first windows are short and double, so that a rate is known before it makes up for a packet; then gains fall
  /// like those of a straight line fitted to all windows so far (an expanding-memory g-h filter; Brookner, "Tracking
  /// and Kalman Filtering Made Easy", 1998, section 1.2.10), until so many: what is older is let go of.
  private static let memory = 16
  /// Packets that are looked at together, at least.
  public static let packetsInWindow: Int64 = 8
  private static let firstWindow: Int64 = 100_000_000
  private static let fullWindow: Int64 = 500_000_000
  private static let longestWindow: Int64 = 4_000_000_000
  private static let firstGain = 0.5
  /// Full windows, of half a second or more, in which a rate has to be right.
  private static let provenWindows = 2
  /// How far the earliest of some packets lie off the line at best: a host's timers, and a radio's intervals.
  private static let floor: Int64 = 3_000_000
  private static let leastFloor: Int64 = 500_000
  /// Packets that span so many nanoseconds stand out of that.
  public static let distinguishable = 4 * floor
  /// Packets by which it tells how late those of this moment are at best.
  private static let fewPackets = 2
  /// Packets that were held back for longer than this are not in a clump, but behind a stall.
  private static let longestClump = 2
  private static let longestDelay: Int64 = 250_000_000
  /// Greatest differences of rates that it follows by itself, to either side. A line that follows a slower one takes
  /// loss for slowness; see `adopt`.
  public static let slowest = 0.06
  private static let fastest = -0.6
  private static let slowestAtLast = 1.0
  /// The greatest to the fast side as long as windows are short, which a clump fills.
  private static let fastestAtFirst = -0.06

  /// Where it stands: the time of the latest sample.
  public private(set) var time: Timestamp
  /// Our time that passes in one second of the board's, less one.
  public private(set) var rate = 0.0
  /// What it is known to be off, still to be made up for, in nanoseconds; positive: it lies too early.
  public private(set) var pending: Int64 = 0
  /// How much later than it says even the earliest packets of the latest window came, and that it does not make up for
  /// yet, in nanoseconds.
  public private(set) var lag: Int64 = 0
  private var spread: Int64 = 0
  /// Windows that it has seen.
  public private(set) var windows = 0
  /// Windows in which the rate was right, one behind the other, up to `provenWindows`.
  private var right = 0
  private let slowest: Double
  private var greatestRate: Double
  /// Least lateness of the last few packets, of some before them, and how many are counted.
  private var recent = (now: Int64.max, before: Int64.max, count: 0)
  private let packet: Int64
  private var window: Window
  /// How many windows in a row moved the line to the early side.
  private var early = 0

  /// Packets that are looked at together, in nanoseconds.
  private struct Window {
    /// How long it is, and how long windows are in the end.
    var length: Int64
    let full: Int64
    /// What is left of it.
    var left: Int64
    /// How late packets in it were.
    var least = Int64.max
    var greatest = Int64.min
    /// By how much the line was corrected at once in it, and whether it was moved.
    var corrected: Int64 = 0
    var isMoved = false

    var isFull: Bool { length >= full }

    /// The next one.
    mutating func begin() { (left, least, greatest, corrected, isMoved) = (length, .max, .min, 0, false) }
  }

  /// A line that begins at a sample which arrived just now. `packets` nanoseconds of the board's, some packets, are
  /// looked at together, and no less than half a second. It follows a board that is slower than told by as much as
  /// `slowest`, a share.
  public init(at time: Timestamp, packets: Int64, slowest: Double = Self.slowest) {
    self.time = time
    packet = packets / Self.packetsInWindow
    (self.slowest, greatestRate) = (slowest, slowest)
    let full = max(packets, Self.fullWindow)
    let length = min(max(packets, Self.firstWindow), full)
    window = Window(length: length, full: full, left: length)
  }

  /// How much later than the line says a sample arrived that the board took `span` nanoseconds after the latest one.
  public func lateness(of arrival: Timestamp, after span: Int64) -> Int64 {
    let expected = time.nanoseconds &+ pending &+ Self.scaled(span, 1 + rate)
    let (late, overflow) = arrival.nanoseconds.subtractingReportingOverflow(expected)
    return overflow ? (arrival.nanoseconds < 0 ? .min / 2 : .max / 2) : late
  }

  /// Lateness, in nanoseconds, up to which a packet is as late as those right before it: lateness that grows slowly is
  /// a rate that is not known yet, and only a step says that something is missing.
  public var tolerance: Int64 {
    let known = windows > 1 ? jitter + jitter / 4 : Self.floor
    return base &+ min(max(known, Self.leastFloor), Self.floor)
  }

  /// Whether so much was seen of it that its rate does not change any more by much.
  public var isKnown: Bool { windows >= Self.memory }

  /// Whether packets came at its rate without a hole for so long that the sensor runs at it, or at one that differs by
  /// no more than sensors do. Of sensors that keep their rate only about it never is.
  public var isProven: Bool { right >= Self.provenWindows }

  /// How far off it may lie as far as it knows, in nanoseconds: what it has still to make up for, and what the earliest
  /// packet of a clump may be late by. A delay that stays the same cannot be seen.
  public var uncertainty: Int64 {
    let (off, overflow) = Int64(clamping: pending.magnitude).addingReportingOverflow(lag)
    return overflow ? .max / 2 : off &+ (jitter > packet / 2 ? packet : 0)
  }

  /// How far lateness spreads within a window, in nanoseconds: what clumps of packets last.
  public var jitter: Int64 { window.greatest == .min ? spread : max(spread, window.greatest - window.least) }

  /// The least lateness of the last few packets, in nanoseconds.
  public var base: Int64 { recent.before == .max ? 0 : min(recent.before, recent.now) }

  /// Goes on by `span` nanoseconds of the board's. Returns where it stands then.
  public mutating func advance(by span: Int64) -> Timestamp {
    let step = Double(span) * (1 + rate)
    var slew = 0.0
    if pending != 0 {
      let most = step * Self.greatestSlew
      slew = min(max(Double(pending) * min(1, Double(span) / Self.slewing), -most), most)
      if pending.magnitude < 1_000 { slew = Double(pending) }
    }
    let made = Int64(slew)
    pending &-= made
    time = Timestamp(nanoseconds: time.nanoseconds &+ Int64(step) &+ made)
    return time
  }

  /// Takes note of how late a packet was of which the newest sample lies `span` behind that of the packet before.
  /// `delay`: how much of that is only its own, and over.
  public mutating func note(_ lateness: Int64, span: Int64, delay: Int64 = 0) {
    if lateness < -max(span / 2, Self.floor) { window.isMoved = window.isMoved || window.isFull }
    recent.now = min(recent.now, lateness)
    // No packet comes before its samples were taken.
    if lateness < -Self.floor || windows == 0 && lateness < 0 {
      correct(by: lateness)
      window.corrected &+= lateness
      window.least = min(window.least, 0)
      if delay > 0 { window.greatest = max(window.greatest, min(delay, Self.longestDelay)) }
    } else {
      window.least = min(window.least, lateness)
      window.greatest = max(window.greatest, lateness &+ min(delay, Self.longestDelay))
    }
    recent.count += 1
    if recent.count == Self.fewPackets { recent = (.max, recent.now, 0) }
    window.left -= span
    if window.left <= 0 { close() }
  }

  /// The line is found to be off by so many nanoseconds; positive: it lies too early.
  public mutating func correct(by nanoseconds: Int64) {
    pending &+= nanoseconds
    if recent.now != .max { recent.now &-= nanoseconds }
    if recent.before != .max { recent.before &-= nanoseconds }
  }

  /// Goes on at a later place: samples are missing, or our clock was set forward.
  public mutating func jump(by nanoseconds: Int64) {
    window.isMoved = window.isMoved || window.isFull || nanoseconds > Self.longestDelay
    time = Timestamp(nanoseconds: time.nanoseconds &+ nanoseconds)
  }

  /// The board is found to run at a rate of its own: our time in one second of its, less one.
  public mutating func adopt(rate: Double) {
    (self.rate, right) = (rate, 0)
    greatestRate = max(greatestRate, rate + slowest)
    window.begin()
  }

  /// `span` nanoseconds of the board's in our time.
  public func spanned(_ span: Int64) -> Int64 { Self.scaled(span, 1 + rate) }

  private mutating func close() {
    defer { window.begin() }
    lag = 0
    guard window.least != .max else { return }
    // What moves it once tells nothing about the rate; what moves it to the same side again and again does.
    window.isMoved ? (early += window.corrected < 0 ? 1 : -early) : (early = 0)
    let now = window.greatest == .min ? 0 : window.greatest - window.least
    spread = windows == 0 ? now : (3 * spread + now) / 4
    guard !window.isMoved || early > Self.longestClump else {
      correct(by: window.least)
      return
    }
    let innovation = Double(window.least + window.corrected) / Double(window.length - window.left)
    if window.isFull {
      windows = min(windows + 1, Self.memory)
      prove(by: innovation)
      let count = Double(max(2, windows))
      let correction = Int64(Double(window.least) * 2 * (2 * count - 1) / (count * (count + 1)))
      correct(by: correction)
      lag = max(0, window.least - correction)
      rate += innovation * 6 / (count * (count + 1))
      // By now it is no clump that looks like a rate.
      if !isProven { greatestRate = max(greatestRate, Self.slowestAtLast) }
      // A window that a clump fills shows how late clumps are, not how early packets can be.
      if isKnown, spread > window.length / 2 { window.length = min(2 * window.length, Self.longestWindow) }
    } else {
      windows += 1
      correct(by: window.least)
      if windows > 1 { rate = max(rate + innovation * Self.firstGain, Self.fastestAtFirst) }
      window.length = min(2 * window.length, window.full)
    }
    rate = min(max(rate, Self.fastest), greatestRate)
  }

  /// Takes note of how far off a full window was, as a share. Once the rate is proven, lateness that grows faster than
  /// rates of sensors differ is loss, and is not followed.
  private mutating func prove(by innovation: Double) {
    guard !isProven, slowest == Self.slowest else { return }
    right = innovation.magnitude < slowest ? right + 1 : 0
    if isProven { greatestRate = rate + slowest }
  }

  private static func scaled(_ span: Int64, _ factor: Double) -> Int64 { Int64(Double(span) * factor) }
}
