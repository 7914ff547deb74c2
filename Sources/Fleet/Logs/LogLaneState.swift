import FleetModel
import Storage

/// What a session's log lane must know to go on after a restart. Kept beside its cursor, in the same transaction.
struct LogLaneState: Hashable, Sendable {
  /// How far one stream is.
  struct Stream: Hashable, Sendable {
    /// Number of its next sample.
    var sequence = 0
    /// Samples lost before that; -1 when nobody knows how many.
    var gap = 0
  }

  /// Raw entries whose samples are not complete yet.
  var rest: [UInt8] = []
  /// What the log's ticks are, as far as it was looked through.
  var scan = LogBootScan.State()
  var place = LogDating.Place()
  /// The latest gap that was taken over.
  var lastGap: Int64 = 0
  /// Streams that were published or have a gap to tell, by their names on the wire.
  var streams: [String: Stream] = [:]
  /// The latest stamp of each stream, also of earlier sessions.
  var latest: [String: Timestamp] = [:]
  /// Samples lost of all streams that were not published yet.
  var gapOfAll = 0
  /// Entries of loggers that nobody knows, by slot.
  var unknown: [Int: Int] = [:]

  init() {}

  /// Adds two counts of lost samples.
  static func sum(_ one: Int, _ other: Int) -> Int { one < 0 || other < 0 ? -1 : one + other }

  /// Takes declared gaps over that lie before the entry at `position`, to be declared by the next batch of their
  /// stream. Returns whether there were any.
  mutating func take(_ gaps: [LogGap], before position: Int) -> Bool {
    let last = lastGap
    for gap in gaps where gap.id > lastGap {
      // Those behind it were declared later, of what came later.
      if let place = gap.position, place > position { break }
      lastGap = gap.id
      if let name = gap.stream.map(LogLane.wireName) {
        streams[name, default: Stream(gap: gapOfAll)].gap.add(lost: gap.count)
      } else {
        gapOfAll.add(lost: gap.count)
        for name in streams.keys { streams[name]?.gap.add(lost: gap.count) }
      }
    }
    return lastGap != last
  }
}

extension Int {
  fileprivate mutating func add(lost count: Int) { self = LogLaneState.sum(self, count) }
}

extension LogLaneState {
  /// Reads what `bytes` wrote; nil when it is none of ours.
  init?(_ bytes: [UInt8]) {
    guard let document = (try? StrictJSON.parse(bytes, limits: .trusting))?.object else { return nil }
    rest = document["rest"]?.string.flatMap { Hex.bytes($0) } ?? []
    // Left out by versions that did not know it; then the log is looked through anew.
    scan = document["scan"]?.object.flatMap(LogBootScan.State.init) ?? LogBootScan.State()
    if let time = document["time"]?.string.flatMap({ Int64($0) }) {
      place = LogDating.Place(
        run: Int(clamping: document["run"]?.integer ?? 0), tick: document["tick"]?.integer ?? 0,
        time: Timestamp(nanoseconds: time))
    }
    lastGap = document["gap_id"]?.integer ?? 0
    gapOfAll = Int(clamping: document["gap"]?.integer ?? 0)
    for (name, stream) in document["streams"]?.object?.members ?? [] {
      let parts = (stream.array ?? []).compactMap(\.integer)
      guard parts.count == 2 else { return nil }
      streams[name] = Stream(sequence: Int(clamping: parts[0]), gap: Int(clamping: parts[1]))
    }
    for (name, time) in document["latest"]?.object?.members ?? [] {
      latest[name] = time.string.flatMap { Int64($0) }.map(Timestamp.init(nanoseconds:))
    }
    for (slot, count) in document["unknown"]?.object?.members ?? [] {
      if let slot = Int(slot) { unknown[slot] = Int(clamping: count.integer ?? 0) }
    }
  }

  /// As JSON, the same for the same state.
  var bytes: [UInt8] {
    JSONWriter.render([
      "rest": .string(Hex.string(rest)), "scan": .object(scan.document),
      "run": .integer(Int64(place.run)), "tick": .integer(place.tick),
      // Larger than what JSON's numbers hold exactly.
      "time": .string(String(place.time.nanoseconds)),
      "gap_id": .integer(lastGap), "gap": .integer(Int64(gapOfAll)),
      "streams": .object(
        JSONObject(
          streams.sorted { $0.key < $1.key }.map {
            ($0.key, [.integer(Int64($0.value.sequence)), .integer(Int64($0.value.gap))])
          })),
      "latest": .object(
        JSONObject(
          latest.sorted { $0.key < $1.key }.map { ($0.key, .string(String($0.value.nanoseconds))) })),
      "unknown": .object(
        JSONObject(unknown.sorted { $0.key < $1.key }.map { (String($0.key), .integer(Int64($0.value))) })),
    ])
  }
}
