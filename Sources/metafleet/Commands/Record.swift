import ArgumentParser
import Dialects
import FleetModel

/// `record`: the samples of live streams into a file, all of them.
struct Record: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Stores the samples of streams as they come: CSV, JSON Lines or InfluxDB's line protocol.",
    discussion: """
      Takes the record lane, which carries every sample, until Ctrl-C or the end of --for, also across a restart of the \
      broker, and says at the end how many samples came and what is missing. A sample that is delivered twice is stored \
      once. What came is in the file after a second at most, in whole lines.

      Boards are named as for metafleet send, group:NAME is all that are in a group now; without any it is all boards, \
      those that come later, too. One row per sample: time (UTC), error_ms, clock, board, board_name, session, boot, \
      stream, seq, gap_before (samples lost before this one; -1 is nobody knows how many), quality_reasons, and one \
      column per field, whose name ends with its unit. Without --stream, CSV has the columns of what the boards are meant \
      to stream now, and the values of all else in a last one, other. CSV and lp end with a line "# rows: N", without which \
      they are cut off; pandas.read_csv(file, comment="#") passes over it.

      Examples:
        metafleet record "Pump 3" --stream acceleration --output pump3.csv
        metafleet record group:east --output east.jsonl --for 1h
        metafleet record --format jsonl | jq -c '{board_name, stream, seq}'
        metafleet record --stream temperature-die --output - --format lp --for 1m

      Exit status: 0 stored, also after Ctrl-C; 1 nothing came, or not all of what was published; 64 no such board or \
      stream; 69 no broker; 73 the file is there already, or cannot be written.
      """)

  @Argument(
    help: "Boards by name, id or a unique beginning, or group:NAME; all without any.",
    completion: FleetCompletion.boards)
  var boards: [String] = []
  @Option(
    help: ArgumentHelp("Only this stream; may be repeated.", valueName: "name"),
    completion: FleetCompletion.streams)
  var stream: [String] = []
  @OptionGroup var file: OutputOptions
  @Option(name: .customLong("for"), help: ArgumentHelp("End after this time.", valueName: "duration"))
  var span: Span?
  @OptionGroup var broker: BrokerOptions

  func run() async throws {
    let format = try file.chosenFormat()
    let recording = try await ClientSession.with(
      try broker.settings(), keepsTrying: true, keepsMessages: true
    ) { session in
      let base = session.settings.base
      // What boards are meant to stream is only asked for columns.
      let fleet = try await session.fleet(stream.isEmpty && format == .csv ? .everything : .boards)
      let choice = try RecordingChoice(fleet, boards: boards, streams: stream)
      let result = try file.open()
      try await session.subscribe(to: choice.filters(base: base), .atLeastOnce)
      let recording = try await RecordingLoop(session: session, file: result).run(
        Recording(fleet, rows: choice.rows(format), base: base), for: span?.duration)
      try result.close()
      return recording
    }
    if Console.isWatched { Console.draw(ProgressBar.erased) }
    Console.note(recording.sentence(writtenTo: file.place))
    if !recording.isWhole { throw CommandLineFailure(.no, "") }
  }
}
