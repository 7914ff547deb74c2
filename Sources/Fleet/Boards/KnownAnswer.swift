import BoardKit
import FleetModel

/// Answers that need no link.
enum KnownAnswer {
  /// The answer to what is known already and waits for nobody, nor for a link; nil for everything else.
  static func find(
    for intent: BoardIntent, _ stages: CommandProgress, by supervisor: isolated BoardSupervisor
  ) async -> CommandOutcome? {
    switch intent {
    case .firmware(.check(let refresh)): await FirmwareNotice.answer(refreshing: refresh, by: supervisor)
    case .explain: await supervisor.environment.gateway.explain(supervisor.board)
    case .maintenance(let request): await MaintenanceOrder(request: request).carryOut(stages, by: supervisor)
    case .disconnect(let hold, _) where supervisor.link.isSuspended && supervisor.link.session == nil:
      keepApart(for: hold, supervisor)
    case .link(.device(.read(let request))) where request.what == "rssi":
      RSSIReading.answer(supervisor.link.signal(at: supervisor.uptime), now: supervisor.uptime)
    default: await FirmwareCommand(session: nil, stages: stages).carryOutWithoutLink(intent, by: supervisor)
    }
  }

  /// A board that is kept apart already: for so long from now on, or no longer.
  private static func keepApart(
    for hold: Duration, _ supervisor: isolated BoardSupervisor
  ) -> CommandOutcome {
    supervisor.suspend(until: supervisor.uptime + hold)
    return .done(evidence: .response, data: [:])
  }
}
