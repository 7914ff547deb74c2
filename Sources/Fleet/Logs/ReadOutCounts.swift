import BoardKit
import FleetModel
import Storage

/// Counts what comes while a log is read out: how far it is, how many samples, and whose. Keeps nothing, decides
/// nothing about keeping (invariant I3).
///
/// What comes is decoded here and again when it is published: the reply must tell how many samples came although the
/// publication may wait for the broker, or for a clock, for hours. Counting entries by their loggers instead would not
/// do, since which of them make a sample together is the family's business.
struct ReadOutCounts {
  /// The run it is stored under.
  let run: LogSession
  /// Bytes of one entry.
  let entrySize: Int
  /// What is counted, and what is needed to count on.
  private struct Count {
    var samples = 0
    var unknown: [Int: Int] = [:]
    var decoder: (any LogDecoder)?
  }

  private var counted = Count()
  /// The same up to the last page that stays.
  private var complete = Count()
  /// Whether a page was erased before the broker had its samples, although the profile wants that.
  var isErasedBefore = false
  /// Entries that the board counted and never handed out, of pages that are erased.
  private(set) var lost = 0
  /// Entries that came twice and are kept once.
  var doubled = 0
  private var progress: DownloadProgress
  private var decoded = DecodedLog()

  init(_ run: LogSession, entries: Int, format: LogFormat?, at uptime: Duration) {
    self.run = run
    entrySize = format?.entrySize ?? 1
    counted.decoder = format?.makeDecoder(run.streams, [])
    complete = counted
    progress = DownloadProgress(of: entries, begun: uptime)
  }

  /// Samples that came and were not there before.
  var samples: Int { counted.samples }
  /// Entries of loggers that nobody knows, by slot.
  var unknown: [Int: Int] { counted.unknown }

  /// Takes a piece that is stored; `new` of its entries, the last ones, were not before. Returns what is worth telling.
  mutating func took(
    _ page: LogPage, new: Int, at uptime: Duration
  ) -> (percent: Double, left: Duration?)? {
    let fresh = min(page.entries.count, max(0, new) * entrySize)
    if fresh < page.entries.count { count(Array(page.entries.dropLast(fresh)), isNew: false) }
    if fresh > 0 { count(Array(page.entries.suffix(fresh)), isNew: true) }
    if page.endsPage { complete = counted }
    return progress.took(page.entries.count / entrySize, at: uptime)
  }

  /// The read-out begins anew behind the last page that stays, and `entries` are to come.
  mutating func begins(entries: Int) {
    counted = complete
    progress.begins(entries: entries)
  }

  /// A page goes without `entries`. Returns how many samples these were; -1 where several streams may lack them.
  mutating func lose(_ entries: Int) -> Int {
    lost += entries
    return samplesLost(entries)
  }

  /// Samples of all that is lost.
  var samplesLost: Int { lost > 0 ? samplesLost(lost) : 0 }

  private func samplesLost(_ entries: Int) -> Int {
    guard run.streams.count == 1, let parts = run.streams.first?.slots.count, parts > 0 else { return -1 }
    return (entries + parts - 1) / parts
  }

  /// What nobody can read counts whenever it comes.
  private mutating func count(_ entries: [UInt8], isNew: Bool) {
    decoded.removeAll()
    counted.decoder?.decode(entries.span.bytes, into: &decoded)
    if isNew { counted.samples += decoded.entries.count }
    counted.unknown.merge(decoded.unknown, uniquingKeysWith: +)
  }
}
