import BoardKit
import FleetModel
import Logging
import Storage

/// Does what follows for a board that is given firmware.
enum UpdateEffects {
  /// Takes up what an earlier run of the gateway left.
  static func recall(by supervisor: isolated BoardSupervisor) async {
    let job: FirmwareJob?
    do throws(StoreFailure) {
      job = try await supervisor.environment.store.firmware.job(of: supervisor.board)
    } catch { return note(error, supervisor) }
    guard let job,
      let document = (try? StrictJSON.parse(job.document, limits: .trusting))?.object,
      let update = BoardUpdate(document: document, limits: limits(of: supervisor), at: supervisor.uptime)
    else { return }
    supervisor.update = update
    supervisor.environment.log.notice(
      "a board was being given firmware when the gateway ended; it goes on when the board is there",
      metadata: .board(supervisor, ["version": "\(update.target.version)"]))
    await FirmwareNotice.publish(update.progress, by: supervisor)
  }

  static func limits(of supervisor: isolated BoardSupervisor) -> UpdateLimits {
    let configuration = supervisor.environment.configuration.firmware
    return UpdateLimits(
      attempts: configuration.retries + 1, receipts: configuration.receipts,
      windows: supervisor.environment.family.bootloader?.windows ?? [])
  }

  /// Takes what happened and does what follows. Returns what is left for the link that is there; nil where it cannot be
  /// written to disk, and nothing must be written to the board.
  @discardableResult
  static func take(
    _ event: BoardUpdate.Event, by supervisor: isolated BoardSupervisor
  ) async -> [BoardUpdate.Effect]? {
    guard var update = supervisor.update else { return [] }
    let before = update
    let effects = update.take(event, at: supervisor.uptime)
    supervisor.update = update
    var (rest, isKept): ([BoardUpdate.Effect], Bool) = ([], true)
    for effect in effects {
      switch effect {
      case .keep:
        isKept = await keep(update, supervisor)
        // What is not on disk did not begin.
        if !isKept, event == .beginning { supervisor.update = before }
      case .forget: await forget(update, because: update.trouble, supervisor)
      case .publish(let draft):
        if let counter = counter(of: draft) { supervisor.environment.counters.add(to: counter) }
        await supervisor.publish(draft)
      case .answer(let outcome): supervisor.commands.updated(.answer(outcome))
      case .jump: supervisor.commands.updated(.jump)
      case .send, .leave: rest.append(effect)
      }
    }
    if let update = supervisor.update { await FirmwareNotice.publish(update.progress, by: supervisor) }
    supervisor.wake()
    return isKept ? rest : nil
  }

  /// What an event of an update counts as. One that stays in its bootloader has failed; what rescues it counts, too.
  static func counter(of draft: EventDraft) -> Counters.Name? {
    switch draft.type {
    case "updated", "rescued": .updatesOK
    case "failed", "bootloader": .updatesFailed
    default: nil
    }
  }

  /// So much of the image has arrived.
  static func take(_ progress: TransferProgress, by supervisor: isolated BoardSupervisor) async {
    guard supervisor.update?.transferred(progress, at: supervisor.uptime, now: supervisor.now) == true,
      let update = supervisor.update
    else { return }
    let shown = update.progress
    await FirmwareNotice.publish(shown, by: supervisor)
    if let percent = shown.percent {
      await supervisor.commands.updateProgress?.progress(percent, shown.expected)
    }
  }

  /// Nothing was sent, and nothing will be.
  static func giveUp(because failure: CommandFailure, by supervisor: isolated BoardSupervisor) async {
    guard let update = supervisor.update else { return }
    await forget(update, because: failure.message, supervisor)
    supervisor.wake()
  }

  /// A bootloader advertises that may be the board's. Returns whether the board is looked for in one.
  static func heard(at place: BoardID, by supervisor: isolated BoardSupervisor) -> Bool {
    guard supervisor.update?.heard(at: place) == true else { return false }
    supervisor.connectionWaker.wake()
    return true
  }

  /// Looks whether time has brought something about. Returns when it may again.
  static func expire(by supervisor: isolated BoardSupervisor) async -> Duration? {
    if supervisor.update?.isExpired(at: supervisor.uptime) == true { await take(.expired, by: supervisor) }
    if supervisor.update?.visit(at: supervisor.uptime) != nil { supervisor.connectionWaker.wake() }
    return supervisor.update?.due(after: supervisor.uptime)
  }

  private static func keep(_ update: BoardUpdate, _ supervisor: isolated BoardSupervisor) async -> Bool {
    // What is on disk of a board that was let go of is right, or gone.
    guard !supervisor.isRetired else { return true }
    let job = FirmwareJob(
      board: supervisor.board, document: JSONWriter.render(update.document), time: supervisor.now)
    do throws(StoreFailure) {
      try await supervisor.environment.store.firmware.keep(job)
      return true
    } catch {
      note(error, supervisor)
      return false
    }
  }

  private static func forget(
    _ update: BoardUpdate, because trouble: String?, _ supervisor: isolated BoardSupervisor
  ) async {
    supervisor.update = nil
    var progress = FirmwareReport.Progress(trouble == nil ? .idle : .failed)
    (progress.trouble, progress.bootloader) = (trouble, update.bootloaderVersion)
    if update.target.goal == .install {
      do throws(StoreFailure) {
        try await supervisor.environment.store.firmware.forget(supervisor.board)
      } catch { note(error, supervisor) }
    }
    await FirmwareNotice.publish(progress, by: supervisor)
  }

  private static func note(_ failure: StoreFailure, _ supervisor: isolated BoardSupervisor) {
    supervisor.environment.log.error(
      "what a board is being given cannot be stored", metadata: .board(supervisor, ["reason": "\(failure)"]))
  }
}
