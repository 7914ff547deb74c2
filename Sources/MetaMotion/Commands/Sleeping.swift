import BoardKit
import FleetModel

/// Powers a board down until its button is pressed (protocol reference, section 27).
struct Sleeping {
  let exchange: Exchange
  let inventory: Inventory

  /// The next reset ends powered down, so it is asked for right behind.
  func sleep() async throws(ProtocolFailure) -> CommandOutcome {
    guard inventory.has(.debug, from: Debug.firstRevisionWithPowerSave) else {
      return .failed(CommandFailure(.unsupported, "the firmware of this board cannot power down"))
    }
    try await exchange.write(Debug.powerSave)
    return try await DisconnectingCommands(exchange: exchange).leave(by: Debug.reset)
  }
}
