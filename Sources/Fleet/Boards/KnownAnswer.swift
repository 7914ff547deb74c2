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
    case .link(.device(.read(let request))) where request.what == "rssi":
      RSSIReading.answer(supervisor.link.signal(at: supervisor.uptime), now: supervisor.uptime)
    default: await FirmwareCommand(session: nil, stages: stages).carryOutWithoutLink(intent, by: supervisor)
    }
  }
}
