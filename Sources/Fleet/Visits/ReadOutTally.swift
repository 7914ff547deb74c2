import BoardKit
import FleetModel
import Storage

/// Counts what comes while a log is read out: how far it is, how many samples, and whose. Keeps nothing, decides nothing
/// about keeping (invariant I3).
///
/// What comes is decoded here and again when it is published: the reply must tell how many samples came although the
/// publication may wait for the broker, or for a clock, for hours. Counting entries by their loggers instead would not do,
/// since which of them make a sample together is the family's business.
struct ReadOutTally {
  /// The run it is stored under.
  let run: ULID
  /// Bytes of one entry.
  let entrySize: Int
  private(set) var samples = 0
  /// Entries of loggers that nobody knows, by slot.
  private(set) var unknown: [Int: Int] = [:]
  private var progress: DownloadProgress
  private var decoder: (any LogDecoder)?
  private var decoded = DecodedLog()

  init(_ run: LogSession, entries: Int, format: LogFormat?, at uptime: Duration) {
    self.run = run.id
    entrySize = format?.entrySize ?? 1
    decoder = format?.makeDecoder(run.streams, [])
    progress = DownloadProgress(of: entries, begun: uptime)
  }

  /// Takes a piece that is stored; `new` of its entries, the last ones, were not before. Returns what is worth telling.
  mutating func took(
    _ entries: [UInt8], new: Int, at uptime: Duration
  ) -> (percent: Double, left: Duration?)? {
    let fresh = min(entries.count, max(0, new) * entrySize)
    if fresh > 0 { count(Array(entries.suffix(fresh))) }
    return progress.took(entries.count / entrySize, at: uptime)
  }

  private mutating func count(_ entries: [UInt8]) {
    decoded.removeAll()
    decoder?.decode(entries.span.bytes, into: &decoded)
    samples += decoded.entries.count
    unknown.merge(decoded.unknown, uniquingKeysWith: +)
  }
}
