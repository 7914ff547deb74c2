import BoardKit
import FleetModel
import Storage

/// What a download shall do with the board afterwards.
struct DownloadOrder: Hashable, Sendable {
  /// Whether the board logs afterwards; nil = as it is wanted.
  var resume: Bool?
  /// Whether the log is erased when it came in whole; nil = as the profile says.
  var clear: Bool?
}

/// The steps of a download. A daemon that is killed behind any of them goes on from what its store and the board say.
enum DownloadStep: String, Sendable, CaseIterable {
  /// Logging is off and what waited in the board's memory is written.
  case stopped
  /// The board has counted the entries it stores, and that stands in the store.
  case begun
  /// A piece is in the store.
  case kept
  /// The board has nothing more to say.
  case readOut = "read-out"
  /// The store knows whether all came.
  case ended
  /// The log is erased and was seen to be empty.
  case cleared
  /// The store knows that.
  case noted
  /// The board logs again, or shall not.
  case resumed
}

/// What came of a download (MQTT contract 3.5).
struct LogDownload: Hashable, Sendable {
  var session: ULID
  /// Entries that there should be, and those that are stored.
  var expected = 0, stored = 0
  /// Samples in what came.
  var samples = 0
  /// Packets that could not be read.
  var unreadable = 0
  /// Entries that the board counted and never handed out, and that are erased; and the samples that these were, -1
  /// where nobody knows.
  var lost = 0, samplesLost = 0
  /// Entries that came twice and are kept once.
  var doubled = 0
  /// Entries of loggers that nobody knows: kept, and no samples yet.
  var undecoded = 0
  /// Whether something was erased before the broker had it, although the profile wants that; and whether the read-out
  /// ended because the broker acknowledged nothing.
  var isClearedBefore = false, isUnpublished = false
  /// Why the board was not asked for all of it.
  var refusal: String?
  var isComplete = false
  var isCleared = false
  /// Whether the board said that nothing is left.
  var isFinished = true
  var streams: [String] = []

  /// Takes what a read-out brought. `isUnpublished`: it ended because the broker acknowledged nothing.
  mutating func took(_ tally: ReadOutCounts, _ readOut: LogReadOutResult, isUnpublished: Bool) {
    // A board that waits for an erasure sends no more when it is asked again. One whose broker does not answer is asked
    // again at the next visit.
    isFinished = readOut.end == .finished || readOut.end == .needsErasure || isUnpublished
    (samples, unreadable, doubled) = (tally.samples, readOut.malformed, tally.doubled)
    (lost, samplesLost) = (tally.lost, tally.samplesLost)
    undecoded = tally.unknown.values.reduce(0, +)
    isClearedBefore = tally.isErasedBefore
  }

  /// Takes how its run stands behind the read-out. The board had counted `entries` before.
  mutating func ended(_ run: LogSession, counted entries: Int) {
    (expected, stored) = (run.expected ?? entries, run.stored)
    isComplete = run.progress == .complete && unreadable == 0 && undecoded == 0
  }

  /// As replies tell it.
  var data: JSONObject {
    var data = fields
    data["complete"] = .bool(isComplete)
    data["cleared"] = .bool(isCleared)
    if isClearedBefore { data["cleared_before"] = "published" }
    return data
  }

  /// As events tell it.
  var fields: JSONObject {
    [
      "session": .string(session.description), "entries_expected": .integer(Int64(expected)),
      "entries_stored": .integer(Int64(stored)), "samples": .integer(Int64(samples)),
      "entries_lost": .integer(Int64(lost)), "undecoded": .integer(Int64(undecoded)),
      "doubled": .integer(Int64(doubled)),
      "streams": .array(streams.map { .string($0) }),
    ]
  }

  /// Why it is not complete, for people.
  var shortfall: String {
    if let refusal { return refusal }
    if lost > 0 {
      return
        "the board counted \(CountText.entries(lost)) that it did not send in two read-outs; \(stored) of "
        + "\(expected) are stored, and their pages are erased"
    }
    if undecoded > 0 {
      return
        "\(undecoded) of \(stored) entries are of unknown loggers; they are stored raw, and what the board "
        + "still stores was not erased"
    }
    if unreadable > 0 {
      return
        "\(CountText.of(unreadable, "log packet")) could not be decoded; \(stored) of \(expected) entries are stored, "
        + "nothing was erased, and the next download continues"
    }
    return isFinished
      ? "the board counted \(CountText.entries(expected)) and sent \(stored); they are stored, nothing was erased"
      : "the download stopped after \(stored) of \(expected) entries; they are stored, nothing was erased"
  }

  /// Whether the log may be erased: never what is not known to be stored in whole (invariant I2), and others' entries
  /// only when ordered (invariant I4).
  func mayClear(_ order: DownloadOrder, policy: VisitPolicy.Clear, hasForeignEntries: Bool) -> Bool {
    guard isComplete else { return false }
    return order.clear ?? (policy != .never && !hasForeignEntries)
  }
}

/// How far a download is, reported at most once a second (MQTT contract 3.1).
struct DownloadProgress: Hashable, Sendable {
  private(set) var count: Int
  let begun: Duration
  private(set) var received = 0
  private var lastReported: Duration?

  static let pause = Duration.seconds(1)

  init(of count: Int, begun: Duration) { (self.count, self.begun) = (count, begun) }

  /// So many entries are to come once more, or for the first time.
  mutating func begins(entries: Int) { count = received + entries }

  /// Takes what came. Returns percent and time left when they are worth telling.
  mutating func took(_ entries: Int, at uptime: Duration) -> (percent: Double, left: Duration?)? {
    received += entries
    if let lastReported, uptime - lastReported < Self.pause { return nil }
    lastReported = uptime
    guard count > 0, received > 0 else { return (0, nil) }
    let percent = min(100, Double(received) / Double(count) * 100)
    return (percent, (uptime - begun) * (Double(max(0, count - received)) / Double(received)))
  }
}
