import Dialects
import EventLoops
import FleetModel

/// Who looks at what the broker retains while some of it is cleared.
protocol RetainedListener {
  mutating func saw(_ message: MQTTMessage)
  /// Whether there may be more behind this one: documents that are only said again hold nobody up.
  func isNew(_ message: MQTTMessage) -> Bool
}

/// Clears retained topics with the rights of whoever calls it.
struct RetainedRemoval: Sendable {
  let session: ClientSession

  /// A broker that works in order has sent everything it retains, or cleared it, when nothing new has come for so long.
  private static let quietTime = Duration.milliseconds(500)

  /// Takes what comes until nothing new has come for a moment.
  func awaitSilence(_ listener: inout some RetainedListener) async throws(CommandLineFailure) {
    var timer = session.set(.quiet, after: Self.quietTime)
    for await event in session.events {
      switch event {
      case .message(let message):
        let isNew = listener.isNew(message)
        listener.saw(message)
        guard isNew else { continue }
        timer.cancel()
        timer = session.set(.quiet, after: Self.quietTime)
      case .timer(.quiet): return
      case .lost(let failure): throw session.explain(failure)
      case .acknowledged, .timer, .terminal: break
      }
    }
  }

  /// Clears a topic, and takes what comes meanwhile. `count` were cleared before.
  func clear(
    _ topic: String, _ listener: inout some RetainedListener, removed count: Int
  ) async throws(CommandLineFailure) {
    await session.publish(MQTTMessage(topic: topic, payload: [], isRetained: true))
    for await event in session.events {
      switch event {
      case .message(let message): listener.saw(message)
      case .acknowledged(.denied(let why)?): throw denied(": \(why)", removed: count)
      case .acknowledged(let failure?): throw session.explain(failure)
      case .acknowledged: return
      case .lost(let failure): throw session.explain(failure)
      case .timer, .terminal: break
      }
    }
  }

  /// MQTT 3.1.1 has no way to say that something was refused, so that this may be found out at the end only.
  func denied(_ why: String, removed count: Int) -> CommandLineFailure {
    let settings = session.settings
    let user = settings.username.map { "the user \(printable($0))" } ?? "clients without a user name"
    return CommandLineFailure(
      .notAllowed,
      "the broker's access list does not let \(user) clear these topics\(why); \(CountText.of(count, "topic")) "
        + "removed. Use the user of a gateway (--username, --password-file), or grant write access to "
        + "\(settings.base)/gateway/+/# and \(settings.base)/board/+/+")
  }
}
