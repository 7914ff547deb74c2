import FleetModel

/// A value that no sensor can measure, as it is reported.
struct ImpossibleValue: Hashable, Sendable {
  var field: String
  var value: Double

  /// JSON has no NaN and no infinities.
  var json: JSONValue { value.isFinite ? .number(value) : .string("\(value)") }
}

/// Samples that were left out one behind the other, because they cannot be.
struct OmittedSamples: Hashable, Sendable {
  /// The first impossible value.
  var first: ImpossibleValue
  var count: Int
  /// Stamps of the first and of the last of them.
  var from, to: Timestamp
}

/// A time in which a stream brings values that cannot be: reported once, however many there are, and over when none has
/// come for a while. Pure.
struct ImpossibleEpisode: Sendable {
  /// So long there must be no impossible value before the next one is reported again.
  static let calm = Duration.seconds(10)
  /// What was left out is declared at the end of the spell, and at least this often.
  static let longestUnreported = Duration.seconds(3_600)

  /// A hole in a stream's samples that is to be declared.
  struct Hole: Hashable, Sendable {
    var count: Int
    var from, to: Timestamp
  }

  /// All that were left out in the spell.
  private(set) var count = 0
  private var hole: Hole?
  private var holeBegan: Duration
  private var last: Duration

  init(at uptime: Duration) { (holeBegan, last) = (uptime, uptime) }

  /// Counts samples that were left out.
  mutating func take(_ leftOut: OmittedSamples, at uptime: Duration) {
    took(leftOut.count, at: uptime)
    if let hole {
      self.hole = Hole(count: hole.count + leftOut.count, from: hole.from, to: leftOut.to)
    } else {
      hole = Hole(count: leftOut.count, from: leftOut.from, to: leftOut.to)
      holeBegan = uptime
    }
  }

  /// Counts an answer that was left out; it leaves no hole in any stream.
  mutating func took(_ more: Int, at uptime: Duration) {
    count += more
    last = uptime
  }

  /// Whether what is good by now stays good.
  func isOver(at uptime: Duration) -> Bool { uptime - last >= Self.calm }

  /// Whether the hole waits for too long already.
  func isHoleDue(at uptime: Duration) -> Bool { hole != nil && uptime - holeBegan >= Self.longestUnreported }

  /// Takes the hole, to declare it.
  mutating func takeHole() -> Hole? {
    defer { hole = nil }
    return hole
  }
}
