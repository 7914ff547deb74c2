import BoardKit
import FleetModel

/// Commands whose only answer is the end of the link (protocol reference, section 27.1).
struct DisconnectingCommands {
  let exchange: Exchange

  /// A board that obeys is gone within milliseconds; the radio notices at the supervision timeout at the latest.
  private static let limit = Duration.seconds(10)

  /// Sends `command` and waits for the link to end.
  func leave(by command: [UInt8]) async throws(ProtocolFailure) -> CommandOutcome {
    // Before it is written: the link may end before that returns.
    exchange.conversation.isLeaving = true
    try await exchange.write(command)
    if await exchange.conversation.linkEnds(within: Self.limit) {
      return .done(evidence: .response, data: [:])
    }
    exchange.conversation.isLeaving = false
    return .unknown(
      message:
        "the board was told to disconnect, but is still connected after \(DurationText.rounded(Self.limit))")
  }
}
