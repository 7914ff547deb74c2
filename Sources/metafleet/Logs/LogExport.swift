import Dialects
import Fleet
import FleetModel
import Storage

/// Writes the samples of sessions as rows, a piece at a time.
struct LogExport {
  let decoding: LogDecoding
  let format: SampleRows.Format
  /// The streams to write, under the names they have on the wire.
  let streams: [LoggedStream]
  /// What boards are called, and which gateway this is.
  var names: [BoardID: String] = [:]
  var gateway = ""
  /// What was streamed and kept, behind what was logged.
  let kept: KeptReading?

  /// Bytes that are written at once.
  static let chunk = 1 << 18

  /// Chooses of the sessions' streams those that are named; all without names.
  init(
    _ sessions: [LogSession], kept: KeptReading? = nil, only names: [String], decoding: LogDecoding,
    format: SampleRows.Format
  ) throws(CommandLineFailure) {
    (self.decoding, self.format, self.kept) = (decoding, format, kept)
    var streams: [LoggedStream] = []
    for stream in sessions.flatMap(\.streams) + (kept?.columns ?? []) {
      var named = stream
      named.name = LogDecoding.wireName(stream.name)
      if !streams.contains(where: { $0.name == named.name }) { streams.append(named) }
    }
    for name in names where !streams.contains(where: { $0.name == name }) {
      throw CommandLineFailure(
        .usage, printable(Suggestion.missing("recorded stream", name, among: streams.map(\.name).sorted())))
    }
    self.streams = names.isEmpty ? streams : streams.filter { names.contains($0.name) }
  }

  /// Writes all there is. `progress` is called with how many entries were read since the last time.
  func write(
    _ sessions: [LogSession], to write: ([UInt8]) throws -> Void, progress: (Int) -> Void = { _ in }
  ) throws -> ExportOutcome {
    var rows = SampleRows(format, fields: streams.flatMap(\.fields))
    let chosen = Set(streams.map(\.name))
    var missing: [ULID] = []
    rows.header()
    for session in sessions {
      let isWhole = try decoding.read(session) { batches, entries in
        for batch in batches where chosen.contains(batch.stream) {
          rows.add(batch, name: names[batch.board], gateway: gateway)
        }
        if rows.count >= Self.chunk { try write(rows.take()) }
        progress(entries)
      }
      if !isWhole { missing.append(session.id) }
    }
    try kept?.read { batch in
      guard chosen.contains(batch.stream) else { return }
      rows.add(batch, name: names[batch.board], gateway: gateway)
      if rows.count >= Self.chunk { try write(rows.take()) }
      progress(batch.count)
    }
    rows.end()
    try write(rows.take())
    return ExportOutcome(rows: rows.rows, missing: missing)
  }
}

/// What was written.
struct ExportOutcome: Hashable {
  var rows = 0
  /// Sessions whose entries are not all in the archive any more.
  var missing: [ULID] = []
}
