import FleetModel

/// Loss is never silent: what is published of a stream is numbered without a hole, and where one session breaks off and
/// another follows there is a gap in it and an event that names it, unless it goes on within a period and a half.
struct I12NoSilentLoss: Invariant {
  private struct Session: Sendable {
    var stream: String
    var board: BoardID
    /// Numbers of samples, by where a batch begins.
    var batches: [Int: Int] = [:]
    var gapBefore: Int?
    /// The earliest and the latest stamp, in microseconds.
    var first = Int64.max
    var last = Int64.min

    /// Time between two samples as its first batch says, in microseconds; nil where it says a rate.
    var every: Int64?

    /// Time between two samples, in microseconds, as they were asked for, or as stamps tell; nil with fewer than two. A
    /// poll that a fault held up makes the time between two shorter.
    var period: Int64? {
      if let every { return every }
      let count = batches.values.reduce(0, +)
      return count > 1 ? (last - first) / Int64(count - 1) : nil
    }
  }

  /// Time between two samples where a session has too few to tell: that of the streams that are polled, in
  /// microseconds.
  private static let longestPeriod: Int64 = 10_000_000

  /// Polls go by beats, so that stamps tell the period only about, in microseconds.
  private static let beats: Int64 = 200_000

  private var sessions: [Substring: Session] = [:]
  /// The sessions whose loss was told.
  private var told: Set<String> = []
  /// When daemons ended: what a daemon does not live to see it cannot count.
  private var ends: [Timestamp] = []
  private var requested: [BoardID: [Timestamp]] = [:]

  mutating func observe(_ observation: Observation, at moment: Moment) -> String? {
    switch observation {
    case .ended: ends.append(moment.time)
    case .fault(.command(let command)):
      // A request begins a session of its own.
      if command.verb.hasPrefix("stream-"), let board = command.board {
        requested[board, default: []].append(moment.time)
      }
    case .published(let publication) where publication.lane == "record": return note(publication)
    case .published(let publication) where publication.lane == "event" && publication.name == "data-gap":
      if let session = publication.document?["session"]?.string { told.insert(session) }
    default: break
    }
    return nil
  }

  private mutating func note(_ publication: Publication) -> String? {
    let header = publication.header
    guard let board = publication.board, let session = header["session"],
      let sequence = header["seq"].flatMap({ Int($0) }), let count = header["count"].flatMap({ Int($0) }),
      let gap = header["gap_before"].flatMap({ Int($0) }), count > 0
    else { return "a batch without numbers: \(publication.text)" }
    var known =
      sessions[session]
      ?? Session(stream: publication.name, board: board)
    if let before = known.batches.updateValue(count, forKey: sequence), before != count {
      return "batch \(session) \(sequence) has \(count) samples, and had \(before)"
    }
    if sequence == 0 { known.gapBefore = gap }
    if let range = publication.text.firstRange(of: #""every":""#) {
      known.every = Int64(publication.text[range.upperBound...].prefix { $0.isNumber }).map { $0 * 1_000_000 }
    }
    let stamps = publication.text.ranges(of: #""ts_us":"#).compactMap { range in
      Int64(publication.text[range.upperBound...].prefix { $0.isNumber })
    }
    known.first = min(known.first, stamps.first ?? .max)
    known.last = max(known.last, stamps.last ?? .min)
    sessions[session] = known
    return nil
  }

  func review(at moment: Moment) -> String? {
    for (name, session) in sessions.sorted(by: { $0.key < $1.key }) {
      var next = 0
      for (sequence, count) in session.batches.sorted(by: { $0.key < $1.key }) {
        guard sequence == next else {
          return
            "\(session.stream) of \(session.board): samples \(next)..<\(sequence) of session \(name) are missing"
        }
        next = sequence + count
      }
    }
    return untold()
  }

  /// Sessions that follow each other over a break.
  private func untold() -> String? {
    let byStream = Dictionary(grouping: sessions.filter { $0.value.stream != "battery" }) {
      "\($0.value.board) \($0.value.stream)"
    }
    for (stream, group) in byStream.sorted(by: { $0.key < $1.key }) {
      let ordered = group.sorted { $0.key < $1.key }
      for (before, after) in zip(ordered, ordered.dropFirst()) where !told.contains(String(before.key)) {
        let span = Self.begin(of: before.key) - .seconds(60)...Self.begin(of: after.key) + .seconds(1)
        let isRequested = (requested[before.value.board] ?? []).contains { span.contains($0) }
        let isOverEnd = ends.contains { span.contains($0) }
        let period = before.value.period ?? after.value.period ?? Self.longestPeriod
        let goesOn = after.value.first - before.value.last < period * 3 / 2 + Self.beats
        if !isRequested, !isOverEnd, !goesOn, after.value.gapBefore == 0 {
          return "\(stream): nothing tells that session \(before.key) broke off before \(after.key)"
        }
      }
    }
    return nil
  }

  /// A session's name begins with the time of its begin, in ms: ten digits of Crockford's base 32.
  private static func begin(of session: Substring) -> Timestamp {
    let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    let milliseconds = session.prefix(10).reduce(0) { $0 * 32 + (digits.firstIndex(of: $1) ?? 0) }
    return Timestamp(milliseconds: Int64(milliseconds))
  }
}
