import ArgumentParser
import Dialects
import FleetModel

/// `watch`: live values.
struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows live values: a table with trends on a terminal, a line per sample in a pipe.",
    discussion: """
      On a terminal it fills the screen with a line per board and stream until q or Ctrl-C: AGE of the newest sample, \
      its VALUE, rounded to four digits, and TREND, which draws the field it names over its last samples. When the \
      broker goes, the last picture stays, says since when, and goes on by itself. Keys: / find by board or stream, Esc \
      all; sort by n name, s stream, a age, the same key again, or R, reverses; arrows and page keys scroll.

      Examples:
        metafleet watch                          every stream of every board
        metafleet watch "Pump 3"                 every stream of one board
        metafleet watch all acceleration         one stream of every board
        metafleet watch pump temperature-die --json | jq .temperature_c

      Exit status: 0 somebody left, or closed the pipe; 64 no such board or stream, or several; 69 no broker, or in a pipe it \
      went; 130 after Ctrl-C.
      """)

  @Argument(
    help: "A board's name, id or a unique beginning; all for every board.", completion: FleetCompletion.boards
  )
  var board: String = "all"
  @Argument(
    help: "A stream, such as acceleration; every stream if left out.",
    completion: .list(StreamCatalogue.all.map(\.name)))
  var stream: String?
  @Flag(help: "Print the samples as they are, one JSON object per line.") var json = false
  @OptionGroup var broker: BrokerOptions

  func validate() throws {
    guard let stream else { return }
    let isName =
      (1...64).contains(stream.utf8.count)
      && stream.allSatisfy { $0.isASCII && ($0.isLowercase || $0.isNumber || $0 == "-") }
    guard isName else { throw ValidationError("\(quoted(stream)) is not the name of a stream") }
  }

  func run() async throws {
    let isScreen = Console.isScreen && !json
    if !isScreen { Signals.endAtOnce() }
    let signal = try await ClientSession.with(try broker.settings(), keepsTrying: isScreen) {
      session -> Int32? in
      let fleet = try await session.fleet(stream == nil ? .boards : .everything)
      if let stream { try StreamChoice.check(stream, in: fleet) }
      let level = board == "all" ? "+" : try TargetResolution(fleet: fleet).board(board).description
      try await session.subscribe(to: ["\(session.settings.base)/board/\(level)/live/\(stream ?? "+")"])
      if isScreen { return try await LiveDisplayLoop.run(WatchDisplay(fleet), in: session) }
      try await (json ? LiveOutput.json : .lines).follow(session, fleet)
      return nil
    }
    // As a shell reports it, now that the terminal is as it was.
    if let signal { throw ExitCode(128 + signal) }
  }
}
