import ArgumentParser
import Dialects
import Fleet
import FleetModel
import Storage

/// `export`: the samples of the archive as a table.
struct Export: ParsableCommand, ArchiveCommand {
  static let configuration = CommandConfiguration(
    abstract: "Writes logged and kept samples as CSV, JSON Lines or InfluxDB's line protocol.",
    discussion: """
      Logs come first, then what was streamed and kept (storage.streams), session by session. \
      Sessions and boards are named as metafleet sessions shows them; the beginning of an id is enough. One row per \
      sample: time (UTC), error_ms (how far the time can be off; empty for a guess), clock, board, board_name, session, boot, \
      stream, seq, gap_before (samples lost before this one; -1 is nobody knows how many), quality_reasons, and one column \
      per field, whose name ends with its unit. Columns of other streams stay empty. CSV and lp end with a line \
      "# rows: N", without which they are cut off; pandas.read_csv(file, comment="#") passes over it.

      Memory does not grow with the size. Times are computed anew, with all that is known now, so they may be better \
      than those that were published. Reads the state directory, whether the daemon runs or not.

      Examples:
        metafleet export "Pump 3" --output pump3.csv
        metafleet export 01JDB91TAS8N0M2T5V7X9Z1ABC --stream acceleration | head
        metafleet export "Pump 3" --since 1d --format jsonl | jq -c '{time, ax_g}'
        metafleet export "Pump 3" --raw --output entries.csv
        metafleet export "Pump 3" --kind stream --since 2h --until 1h --output hour.csv

      With --raw, one row per entry as the board sent it, in hexadecimal, those of unknown loggers included: board, \
      session, number, the board's reset and tick, entry.

      Exit status: 0 written, also when the reader closed the pipe; 1 nothing, or not everything that was asked for, is \
      in the archive any more; 64 no such session or board; 69 there is no archive; 73 it cannot be read, or the file \
      is there already or cannot be written; 77 it is not for you; \
      78 the configuration is wrong.
      """)

  @Argument(help: "Sessions by id, boards by name or id.") var what: [String]
  @OptionGroup var archive: ArchiveOptions
  @OptionGroup var file: OutputOptions
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

  func validate() throws {
    if raw, !stream.isEmpty {
      throw ValidationError("--raw and --stream cannot be combined: raw entries belong to no stream")
    }
  }

  func run() throws {
    let format = try file.chosenFormat()
    if raw, format == .lp {
      throw CommandLineFailure(
        .usage, "raw entries are no samples, and lp is of samples; csv and jsonl take them")
    }
    let (reader, names) = try archive.open(into: file)
    let now = Timestamp.system
    var kept = KeptReading(reader: reader, since: since?.time(now: now), until: until?.time(now: now))
    let all = try ArchivedSession.all(in: reader, of: kind, since: kept.since, until: kept.until)
    let chosen = try SessionChoice(sessions: all, names: names)(what)
    if raw {
      let rows = RawLogRows(rows: format, format: try ArchiveOptions.format())
      return try write { try rows.write(chosen.compactMap(\.log), of: reader, to: $0) }
    }
    let sessions = chosen.compactMap(\.log).filter { !$0.streams.isEmpty }
    kept.streams = chosen.compactMap(\.stream)
    var export = try LogExport(
      sessions, kept: kept, only: stream,
      decoding: LogDecoding(reader: reader, format: try ArchiveOptions.format()), format: format)
    (export.names, export.gateway) = (names, try archive.gateway)
    var bar = ProgressBar(
      total: sessions.reduce(0) { $0 + $1.stored } + kept.streams.reduce(0) { $0 + $1.samples })
    try write { [export] write in
      try export.write(sessions, to: write) {
        if Console.isWatched, let line = bar.advance(by: $0) { Console.draw(line) }
      }
    }
  }

  /// Writes to where it was asked for, and says how much it was.
  private func write(_ rows: (_ write: ([UInt8]) throws -> Void) throws -> ExportOutcome) throws {
    let result = try file.open()
    let outcome: ExportOutcome
    do {
      defer { if Console.isWatched { Console.draw(ProgressBar.erased) } }
      outcome = try rows(result.write)
    }
    try result.close()
    Console.note("\(CountText.of(outcome.rows, "row")) written to \(file.place)")
    try Self.expectNothing(outcome.missing)
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
