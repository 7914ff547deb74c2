import ArgumentParser
import Dialects
import FleetModel

/// `watch`: live values.
struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Shows live values: a table with trends on a terminal, a line per sample in a pipe.",
    discussion: """
      On a terminal there is a line per board and stream, as far as they fit; TREND draws the first value of each \
      over its last samples. Ctrl-C ends it.

      Examples:
        metafleet watch                          every stream of every board
        metafleet watch "Pump 3"                 every stream of one board
        metafleet watch all acceleration         one stream of every board
        metafleet watch pump temperature-die --json | jq .temperature_c

      Exit status: 0 the reader closed the pipe; 64 no such board, or several; 69 no broker, or it went; 130 after \
      Ctrl-C.
      """)

  @Argument(
    help: "A board's name, id or a unique beginning; all for every board.", completion: FleetCompletion.boards
  )
  var board: String = "all"
  @Argument(help: "A stream, such as acceleration; every stream if left out.") var stream: String?
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
    Signals.endAtOnce()
    let output: LiveOutput = json ? .json : Console.isScreen ? .screen : .lines
    try await ClientSession.with(try broker.settings()) { session in
      let fleet = try await session.fleet()
      let level = board == "all" ? "+" : try TargetResolution(fleet: fleet).board(board).description
      try await session.subscribe(to: ["\(session.settings.base)/board/\(level)/live/\(stream ?? "+")"])
      try await output.follow(session, fleet)
    }
  }
}
