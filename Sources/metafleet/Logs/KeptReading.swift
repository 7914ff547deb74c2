import FleetModel
import Storage

/// Reads kept samples of streams from the archive, a few rows at a time, as far as they lie in a stretch of time.
struct KeptReading {
  let reader: ArchiveReader
  /// The time of the first sample that is wanted, and of the first one that is not any more; nil is any.
  var since: Timestamp?
  var until: Timestamp?
  var streams: [KeptStream] = []

  private static let rows = 64

  /// Names and fields of the streams.
  var columns: [LoggedStream] {
    streams.map {
      LoggedStream(
        name: $0.stream, fields: $0.fields, slots: [], layout: [], configuration: [:], period: nil,
        isOurs: true)
    }
  }

  /// Hands all of it over, session by session.
  func read(_ take: (SampleBatch) throws -> Void) throws {
    for stream in streams {
      var next = 0
      while true {
        let batches = try reader.batches(
          of: stream, from: next, since: since, until: until, limit: Self.rows)
        guard let last = batches.last else { break }
        for batch in batches.compactMap({ $0.cut(since: since, until: until) }) { try take(batch) }
        next = last.sequence + last.count
      }
    }
  }
}

extension SampleBatch {
  /// Its samples of the time from `since` until `until`; nil where there are none.
  func cut(since: Timestamp?, until: Timestamp?) -> SampleBatch? {
    let lower = since.map { start in times.firstIndex { $0 >= start } ?? count } ?? 0
    let upper = until.map { end in times.firstIndex { $0 >= end } ?? count } ?? count
    guard lower < upper else { return nil }
    guard lower > 0 || upper < count else { return self }
    var cut = self
    cut.sequence += lower
    // What was not asked for is not missing.
    if lower > 0 { cut.gapBefore = 0 }
    cut.times = Array(times[lower..<upper])
    cut.values = Array(values[lower * fields.count..<upper * fields.count])
    return cut
  }
}
