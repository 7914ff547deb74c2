import Dialects
import FleetModel

/// Finds the gateway that a command without a board is for.
struct GatewayChoice: Sendable {
  let fleet: FleetView

  /// The named gateway, else the one that has `board`, else the only one.
  func resolve(named name: String?, for board: BoardID? = nil) throws(CommandLineFailure) -> String {
    if let name {
      guard case .gateway(let id) = try TargetResolution(fleet: fleet).resolve("gateway:\(name)") else {
        throw CommandLineFailure(.internal, "internal error: not a gateway; please report it")
      }
      return try online(id)
    }
    if let owner = board.flatMap({ fleet.boards[$0]?.gateway }), fleet.gateways[owner] != nil {
      return try online(owner)
    }
    let names = fleet.gateways.keys.sorted()
    guard let only = names.first else {
      throw CommandLineFailure(
        .unavailable, "there is no gateway on this broker; start one: metafleet run --config metafleet.yaml")
    }
    guard names.count == 1 else {
      throw CommandLineFailure(
        .usage, "there are \(printable(names.joined(separator: ", "))); name one with --gateway")
    }
    return try online(only)
  }

  /// Nobody would answer for a gateway that is gone.
  private func online(_ id: String) throws(CommandLineFailure) -> String {
    guard fleet.gateways[id]?.isOnline == true else {
      throw CommandLineFailure(
        .unavailable,
        "the gateway \(printable(id)) is offline; start it and try again, or, if it is gone for good: metafleet forget "
          + "gateway:\(printable(id)) --gone")
    }
    return id
  }
}
