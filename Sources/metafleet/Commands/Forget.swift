import ArgumentParser
import FleetModel

/// `forget`: removes an admitted board.
struct Forget: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Removes an admitted board and its retained topics.",
    discussion: """
      Asks the gateway that has the board. A board that the configuration file lists is refused: remove it there, \
      then reload. What was published stays wherever it went. What it logged stays in the archive for metafleet \
      export; with --drop-data it is deleted, as soon as the broker has all of it.

      Examples:
        metafleet forget "Pump 3"
        metafleet forget e5a1c2d3f4b6 --gateway floor-3
        metafleet forget "Pump 3" --drop-data

      Exit status: 0 forgotten; 1 refused, with the reason; 3 it may have happened; 64 no such board, or --gateway is \
      needed; 69 no broker, or the gateway is offline; 75 busy, or no answer; 77 denied.
      """)

  @Argument(
    help: "A board's name, id or a unique beginning of either.", completion: FleetCompletion.boards)
  var board: String
  @Flag(help: "Also delete its logged data, once they are delivered.") var dropData = false
  @OptionGroup var options: GatewayOptions

  func run() async throws {
    Signals.endAtOnce()
    try await options.send("forget") { fleet throws(CommandLineFailure) in
      try TargetResolution(fleet: fleet).board(board)
    } _: { fleet throws(CommandLineFailure) in
      let id = try TargetResolution(fleet: fleet).board(board)
      return ["board": .string(id.description), "keep_data": .bool(!dropData)]
    }
  }
}
