import ArgumentParser
import Dialects
import FleetModel

/// Options of the commands that are verbs of a gateway.
struct GatewayOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The gateway; needed when there are several.", valueName: "id"),
    completion: FleetCompletion.gateways)
  var gateway: String?

  @Flag(help: "Print the replies as they are, one JSON object per line.") var json = false
  @OptionGroup var broker: BrokerOptions

  /// Sends a verb to the gateway, prints the replies and ends with their status. `arguments` may look at the fleet;
  /// `owned` names the board whose gateway is meant when nobody says which.
  func send(
    _ verb: String, owned: @Sendable (FleetView) throws(CommandLineFailure) -> BoardID? = { _ in nil },
    _ arguments: @Sendable (FleetView) throws(CommandLineFailure) -> JSONObject
  ) async throws {
    let status = try await ClientSession.with(try broker.settings()) { session in
      let fleet = try await session.fleet()
      let arguments = try arguments(fleet)
      let gateway = try GatewayChoice(fleet: fleet).resolve(named: gateway, for: owned(fleet))
      let request = try SendRequest(verb: verb, arguments: arguments, isQueued: false, expires: nil, id: nil)
      try request.check(for: .gateway(gateway))
      return try await request.perform(on: session, target: .gateway(gateway), in: fleet, json: json)
    }
    if status != .ok { throw CommandLineFailure(status, "") }
  }
}
