import Dialects
import FleetModel

/// Clears what a gateway that is gone for good has left on the broker. Needs no gateway, only the right to write where
/// gateways do.
struct GoneGatewayRemoval: Sendable {
  let id: String
  /// Whether somebody has seen what is removed, and means it.
  let isConfirmed: Bool

  func run(on session: ClientSession) async throws -> ExitStatus {
    var gone = GoneGateway(id, base: session.settings.base)
    let removal = RetainedRemoval(session: session)
    try await session.subscribe(to: gone.filters, .atLeastOnce)
    try await removal.awaitSilence(&gone)
    guard gone.isKnown else {
      throw CommandLineFailure(
        .usage, "the broker has nothing of a gateway \(quoted(id)); metafleet top lists them")
    }
    try refuseOnline(gone, removed: 0)
    for line in gone.listing { try Console.line(line) }
    let topics = gone.removable
    guard isConfirmed else {
      Console.note(
        "metafleet: nothing is removed yet; --yes removes \(CountText.of(topics.count, "retained topic"))")
      return .no
    }
    for (count, topic) in topics.enumerated() {
      try refuseOnline(gone, removed: count)
      try await removal.clear(topic, &gone, removed: count)
    }
    try await removal.awaitSilence(&gone)
    // MQTT 3.1.1 has no way to say that something was refused.
    let left = Set(gone.removable).intersection(topics)
    guard left.isEmpty else { throw removal.denied("", removed: topics.count - left.count) }
    try Console.line("removed \(CountText.of(topics.count, "retained topic"))")
    return .ok
  }

  private func refuseOnline(_ gone: GoneGateway, removed count: Int) throws(CommandLineFailure) {
    guard gone.isOnline else { return }
    let done = count == 0 ? "" : " by now, and publishes again what was removed"
    throw CommandLineFailure(
      .no,
      "the gateway \(printable(id)) is online\(done); only one that is gone for good can be removed: stop it first"
    )
  }
}
