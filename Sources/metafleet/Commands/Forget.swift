import ArgumentParser
import Dialects
import FleetModel

/// `forget`: removes an admitted board, an adapter or a gateway that is gone.
struct Forget: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Removes an admitted board, or an adapter or a gateway that is gone for good.",
    discussion: """
      Asks the gateway that has the board. A board that the configuration file lists is refused: remove it from the \
      file, then reload. What was published stays wherever it went. What it logged stays in the archive for metafleet \
      export; with --drop-data it is deleted, as soon as the broker has all of it. While joining is open, a board that \
      is in range joins again: --block refuses its address, until metafleet admit names it.

      adapter:ADDRESS is an adapter that is missing, such as a dongle that was exchanged: its gateway removes what it \
      says of it. After a week it does so by itself.

      gateway:NAME --gone is a gateway that will not come back, or not under that name: all retained topics of it, of \
      its adapters and of boards that no other gateway has are cleared at the broker. No gateway is needed for that, but \
      a broker user who may write there, as gateways may. It is refused while the gateway is online, and only lists what \
      it would remove without --yes. A gateway whose id or base topic was changed does that by itself at its next start.

      Examples:
        metafleet forget "Pump 3"
        metafleet forget e5a1c2d3f4b6 --gateway floor-3
        metafleet forget "Pump 3" --drop-data
        metafleet forget e5a1c2d3f4b6 --block
        metafleet forget --never-connected
        metafleet forget adapter:00:1A:7D:DA:71:13
        metafleet forget gateway:floor-2 --gone --yes

      Exit status: 0 forgotten; 1 refused, with the reason, or --yes is missing; 3 it may have happened; 64 no such \
      board or gateway, or --gateway is needed; 69 no broker, or the gateway is offline; 75 busy, or no answer; 77 denied.
      """)

  @Argument(
    help: "A board's name, id or a unique beginning of either; adapter:ADDRESS; or gateway:NAME with --gone.",
    completion: FleetCompletion.forgettable)
  var target: String?
  @Flag(help: "All boards admitted at run time that were never connected.") var neverConnected = false
  @Flag(help: "Also refuse the address from now on; the board need not be admitted.") var block = false
  @Flag(help: "Also delete its logged data, once they are delivered.") var dropData = false
  @Flag(help: "The gateway is gone for good: clear what it has left on the broker.") var gone = false
  @Flag(help: "With --gone: remove what it lists.") var yes = false
  @OptionGroup var options: GatewayOptions

  private var choice: ForgetChoice {
    ForgetChoice(target: target, neverConnected: neverConnected, block: block, dropData: dropData, gone: gone)
  }

  func validate() throws {
    if let fault = choice.fault ?? (yes && !gone ? "--yes is for gateway:NAME --gone." : nil) {
      throw ValidationError(fault)
    }
  }

  func run() async throws {
    Signals.endAtOnce()
    if case .gateway(let name) = choice.kind {
      let status = try await ClientSession.with(try options.broker.settings()) { session in
        try await GoneGatewayRemoval(id: name, isConfirmed: yes).run(on: session)
      }
      if status != .ok { throw CommandLineFailure(status, "") }
      return
    }
    let choice = choice
    var options = options
    if case .adapter(let adapter) = choice.kind, options.gateway == nil {
      options.gateway = try await ClientSession.with(try options.broker.settings()) { session in
        let fleet = try await session.fleet(.everything)
        return fleet.gateways.first { $0.value.adapters[adapter.description] != nil }?.key
      }
    }
    try await options.send("forget") { fleet throws(CommandLineFailure) in
      try choice.board(in: fleet)
    } _: { fleet throws(CommandLineFailure) in
      try choice.arguments(in: fleet)
    }
  }
}
