import ArgumentParser
import Dialects
import FleetModel

/// `forget`: removes an admitted board.
struct Forget: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Removes an admitted board and its retained topics, or blocks an address.",
    discussion: """
      Asks the gateway that has the board. A board that the configuration file lists is refused: remove it there, \
      then reload. What was published stays wherever it went. What it logged stays in the archive for metafleet \
      export; with --drop-data it is deleted, as soon as the broker has all of it. While joining is open, a board that \
      is in range joins again: --block refuses its address, until metafleet admit names it.

      Examples:
        metafleet forget "Pump 3"
        metafleet forget e5a1c2d3f4b6 --gateway floor-3
        metafleet forget "Pump 3" --drop-data
        metafleet forget e5a1c2d3f4b6 --block
        metafleet forget --never-connected

      Exit status: 0 forgotten; 1 refused, with the reason; 3 it may have happened; 64 no such board, or --gateway is \
      needed; 69 no broker, or the gateway is offline; 75 busy, or no answer; 77 denied.
      """)

  @Argument(
    help: "A board's name, id or a unique beginning of either.", completion: FleetCompletion.boards)
  var board: String?
  @Flag(help: "All boards admitted at run time that were never connected.") var neverConnected = false
  @Flag(help: "Also refuse the address from now on; the board need not be admitted.") var block = false
  @Flag(help: "Also delete its logged data, once they are delivered.") var dropData = false
  @OptionGroup var options: GatewayOptions

  func validate() throws {
    guard neverConnected != (board != nil) else {
      throw ValidationError("Name a board, or write --never-connected.")
    }
  }

  func run() async throws {
    Signals.endAtOnce()
    try await options.send("forget") { fleet throws(CommandLineFailure) in
      try id(in: fleet)
    } _: { fleet throws(CommandLineFailure) in
      var arguments: JSONObject = ["keep_data": .bool(!dropData)]
      if let id = try id(in: fleet) {
        arguments["board"] = .string(id.description)
      } else {
        arguments["never_connected"] = true
      }
      if block { arguments["block"] = true }
      return arguments
    }
  }

  /// The board that is meant; nil for all that were never connected.
  private func id(in fleet: FleetView) throws(CommandLineFailure) -> BoardID? {
    guard let board else { return nil }
    return try TargetResolution(fleet: fleet).board(board)
  }
}
