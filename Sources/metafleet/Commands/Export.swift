import ArgumentParser
import Dialects
import Fleet
import FleetModel
import Storage

/// `export`: the samples of the archive as a table.
struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes logged and kept samples as CSV or JSON Lines.",
    discussion: """
      Logs come first, then what was streamed and kept (storage.streams), session by session. \
      Sessions and boards are named as metafleet sessions shows them; the beginning of an id is enough. One row per \
      sample: time (UTC), error_ms (how far the time can be off; empty for a guess), clock, board, session, boot, stream, \
      seq, and one column per field, whose name ends with its unit. Columns of other streams stay empty.

      Memory does not grow with the size. Times are computed anew, with all that is known now, so they may be better \
      than those that were published. Reads the state directory, whether the daemon runs or not.

      Examples:
        metafleet export "Pump 3" --format csv --output pump3.csv
        metafleet export 01JDB91TAS8N0M2T5V7X9Z1ABC --stream acceleration | head
        metafleet export "Pump 3" --since 1d --format jsonl | jq -c '{time, ax_g}'
        metafleet export "Pump 3" --raw --output entries.csv
        metafleet export "Pump 3" --kind stream --since 2h --until 1h --output hour.csv

      With --raw, one row per entry as the board sent it, in hexadecimal, those of unknown loggers included: board, \
      session, number, the board's reset and tick, entry.

      Exit status: 0 written, also when the reader closed the pipe; 1 nothing, or not everything that was asked for, is \
      in the archive any more; 64 no such session or board; 69 there is no archive; 73 it cannot be read, or the file \
      not written; 78 the configuration is wrong.
      """)

  @Argument(help: "Sessions by id, boards by name or id.") var what: [String]
  @OptionGroup var archive: ArchiveOptions
  @Option(help: "csv or jsonl.") var format = LogRows.Format.csv
  @Option(
    help: ArgumentHelp(
      "Where to; a file that is there is overwritten. Else standard output.", valueName: "file"))
  var output: String?
  @Option(help: ArgumentHelp("Only these streams.", valueName: "name")) var stream: [String] = []
  @Option(
    help: ArgumentHelp(
      "Only since: 7d ago, or 2026-11-20, in UTC. Logs go by when they began, streams by each sample.",
      valueName: "time"))
  var since: Since?
  @Option(help: ArgumentHelp("Only before, likewise.", valueName: "time")) var until: Since?
  @Option(
    help: ArgumentHelp("Only what was logged, or only what was streamed and kept.", valueName: "log|stream"),
    completion: .list(SessionKind.allCases.map(\.rawValue)), transform: SessionKind.parsed)
  var kind: SessionKind?
  @Flag(help: "Raw entries instead of samples, including those of unknown loggers.") var raw = false

  func run() throws {
    let (reader, names) = try archive.open()
    let now = Timestamp.system
    var kept = KeptReading(reader: reader, since: since?.time(now: now), until: until?.time(now: now))
    let all = try ArchivedSession.all(in: reader, of: kind, since: kept.since, until: kept.until)
    let chosen = try SessionChoice(sessions: all, names: names)(what)
    if raw { return try writeRaw(chosen.compactMap(\.log), of: reader) }
    let sessions = chosen.compactMap(\.log).filter { !$0.streams.isEmpty }
    kept.streams = chosen.compactMap(\.stream)
    let export = try LogExport(
      sessions, kept: kept, only: stream,
      decoding: LogDecoding(reader: reader, format: try ArchiveOptions.format()),
      format: format)
    let file = try ResultFile(path: output)
    var bar = ProgressBar(
      total: sessions.reduce(0) { $0 + $1.stored } + kept.streams.reduce(0) { $0 + $1.samples })
    defer { if Console.isWatched { Console.draw(ProgressBar.erased) } }
    let missing = try export.write(sessions) {
      try file.write($0)
    } progress: {
      if Console.isWatched, let line = bar.advance(by: $0) { Console.draw(line) }
    }
    try file.close()
    try Self.expectNothing(missing)
  }

  private func writeRaw(_ sessions: [LogSession], of reader: ArchiveReader) throws {
    guard stream.isEmpty else {
      throw CommandLineFailure(
        .usage, "--raw and --stream cannot be combined: raw entries belong to no stream")
    }
    let rows = RawLogRows(rows: format, format: try ArchiveOptions.format())
    let file = try ResultFile(path: output)
    let missing = try rows.write(sessions, of: reader) { try file.write($0) }
    try file.close()
    try Self.expectNothing(missing)
  }

  private static func expectNothing(_ missing: [ULID]) throws(CommandLineFailure) {
    guard missing.isEmpty else {
      throw CommandLineFailure(
        .no,
        "of \(missing.map(\.description).joined(separator: ", ")) some entries have been deleted from the archive (storage.archive limits)"
      )
    }
  }
}

extension LogRows.Format: ExpressibleByArgument {}
