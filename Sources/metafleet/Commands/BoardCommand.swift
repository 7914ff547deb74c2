import ArgumentParser
import Dialects
import FleetModel

/// `board`: one board in full.
struct BoardCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "board",
    abstract: "Shows everything that is known about one board.",
    discussion: """
      Reads what the broker keeps of the board and of the gateway that manages it: who it is, how it is, how the \
      last day went; with --abilities also what it can do. metafleet explain says why its data are received, or not.

      Examples:
        metafleet board "Pump 3"
        metafleet board e5a1 --abilities
        metafleet board pump --json | jq .info.modules

      Exit status: 0 shown; 1 it is an address that no gateway has admitted; 64 no such name, or several; 69 no \
      broker.
      """)

  @Argument(
    help: "A board's name, id or a unique beginning of either.", completion: FleetCompletion.boards)
  var board: String
  @Flag(help: "Also its modules, slots, commands and streams.") var abilities = false
  @Flag(help: "One JSON object with the documents of the board and of its gateway.") var json = false
  @OptionGroup var broker: BrokerOptions

  func run() async throws {
    Signals.endAtOnce()
    let fleet = try await ClientSession.with(try broker.settings()) { try await $0.fleet(.everything) }
    let id = try TargetResolution(fleet: fleet).board(board)
    guard let board = fleet.boards[id] else {
      throw CommandLineFailure(
        .no, "\(id.address.colonSeparated) is not admitted; metafleet explain \(id) says what to do")
    }
    if json { return try Console.line(JSONText.of(.object(BoardTable.fullObject(of: board, in: fleet)))) }
    let page = BoardPage(board: board, fleet: fleet, now: .system)
    let width = Console.width ?? FactSheet.pipeWidth
    for sheet in abilities ? [page.sheet, page.abilities, page.streams] : [page.sheet] {
      for line in sheet.lines(width: width, isColoured: Console.hasColours) { try Console.line(line) }
      try Console.line("")
    }
  }
}
