import Dialects
import FleetModel
import Storage

/// What a board publishes of its firmware.
enum FirmwareNotice {
  /// Publishes what is known, where it is something else than before; newer firmware is an event, too.
  static func publish(by supervisor: isolated BoardSupervisor) async {
    guard let checks = supervisor.environment.firmware, checks.isPossible else { return }
    let knowledge = await checks.knowledge
    guard let description = supervisor.status.identity.description,
      let report = knowledge.report(on: supervisor.board, description, at: supervisor.now)
    else { return }
    let change = supervisor.status.take(report)
    supervisor.publishInfo()
    if change.isOther { await supervisor.environment.deliver([.firmware(report)]) }
    if let draft = change.draft { await supervisor.publish(draft) }
    guard change.isToBeKept else { return }
    // Behind the event: who is killed in between announces it twice, and not never.
    supervisor.memory.description = BoardMemoryCoding.description(of: supervisor.status)
    await supervisor.remember()
  }

  /// Publishes how far an update has come.
  static func publish(
    _ progress: FirmwareReport.Progress, by supervisor: isolated BoardSupervisor
  ) async {
    guard supervisor.status.take(progress) else { return }
    supervisor.dueWorkWaker.wake()
    let known = supervisor.status.firmware.report
    let description = supervisor.status.identity.description
    let report =
      known
      ?? FirmwareReport(
        board: supervisor.board, model: description?.model ?? "",
        installed: description?.firmwareRevision ?? "",
        offer: nil, index: nil, checked: nil, trouble: nil, time: supervisor.now)
    var now = report
    now.time = supervisor.now
    _ = supervisor.status.take(now)
    guard let published = supervisor.status.firmware.report else { return }
    await supervisor.environment.deliver([.firmware(published)])
  }

  /// The answer to `firmware-check`, which needs no link.
  static func answer(refreshing: Bool, by supervisor: isolated BoardSupervisor) async -> CommandOutcome {
    guard let checks = supervisor.environment.firmware, checks.isPossible else {
      return .failed(CommandFailure(.unsupported, "this gateway does not look for firmware"))
    }
    guard let description = supervisor.status.identity.description else {
      return .failed(
        CommandFailure(
          .unreachable, "the board was never connected, so that nobody knows which firmware it has"))
    }
    await checks.check(unlessFresh: !refreshing)
    let knowledge = await checks.knowledge
    guard knowledge.hasIndex,
      let report = knowledge.report(on: supervisor.board, description, at: supervisor.now)
    else {
      let reason = knowledge.trouble ?? "none was fetched yet"
      return .failed(CommandFailure(.internal, "there is no index of firmware: \(reason)"))
    }
    return .done(evidence: nil, data: FirmwareDocument(report).json)
  }
}
