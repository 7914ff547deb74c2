import Dialects
import EventLoops
import FleetModel

/// Clears what a gateway that is gone for good has left on the broker. Needs no gateway, only the right to write where
/// gateways do.
struct GoneGatewayRemoval: Sendable {
  let id: String
  /// Whether somebody has seen what is removed, and means it.
  let isConfirmed: Bool

  /// A broker that works in order has sent, or cleared, all by then.
  private static let quietTime = Duration.milliseconds(500)

  func run(on session: ClientSession) async throws -> ExitStatus {
    var gone = GoneGateway(id, base: session.settings.base)
    try await session.subscribe(to: gone.filters, .atLeastOnce)
    try await awaitSilence(&gone, session)
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
      try await clear(topic, &gone, session, removed: count)
    }
    try await awaitSilence(&gone, session)
    // MQTT 3.1.1 has no way to say that something was refused.
    let left = Set(gone.removable).intersection(topics)
    guard left.isEmpty else { throw denied("", session, removed: topics.count - left.count) }
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

  /// Takes what comes until the broker has been silent for a moment.
  private func awaitSilence(_ gone: inout GoneGateway, _ session: ClientSession)
    async throws(CommandLineFailure)
  {
    var timer = session.set(.quiet, after: Self.quietTime)
    for await event in session.events {
      switch event {
      case .message(let message):
        gone.saw(message)
        timer.cancel()
        timer = session.set(.quiet, after: Self.quietTime)
      case .timer(.quiet): return
      case .lost(let failure): throw session.explain(failure)
      case .acknowledged, .timer, .terminal: break
      }
    }
  }

  private func clear(
    _ topic: String, _ gone: inout GoneGateway, _ session: ClientSession, removed count: Int
  ) async throws(CommandLineFailure) {
    await session.publish(MQTTMessage(topic: topic, payload: [], isRetained: true))
    for await event in session.events {
      switch event {
      case .message(let message): gone.saw(message)
      case .acknowledged(.denied(let why)?): throw denied(": \(why)", session, removed: count)
      case .acknowledged(let failure?): throw session.explain(failure)
      case .acknowledged: return
      case .lost(let failure): throw session.explain(failure)
      case .timer, .terminal: break
      }
    }
  }

  private func denied(_ why: String, _ session: ClientSession, removed count: Int) -> CommandLineFailure {
    let settings = session.settings
    let user = settings.username.map { "the user \(printable($0))" } ?? "clients without a user name"
    return CommandLineFailure(
      .notAllowed,
      "the broker's access list does not let \(user) clear these topics\(why); \(CountText.of(count, "topic")) "
        + "removed. Use the user of a gateway (--username, --password-file), or grant write access to "
        + "\(settings.base)/gateway/\(printable(id))/# and \(settings.base)/board/+/+")
  }
}
