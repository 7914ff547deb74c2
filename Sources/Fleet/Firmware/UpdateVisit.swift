import BoardKit
import FleetModel

/// Visits a board in its bootloader, in the place of a session with its application.
enum UpdateVisit {
  /// Until a board that left a link restarts, and the system may be asked to forget what it was.
  private static let restart = Duration.milliseconds(1_500)
  /// Until a bootloader that could not be visited is visited again, and until firmware that is not there is looked for
  /// again.
  private static let pause = Duration.seconds(5)
  private static let fetchPause = Duration.seconds(600)

  /// Connects to the bootloader at `place` and does what is to be done there.
  static func run(at place: BoardID, _ supervisor: isolated BoardSupervisor) async {
    guard let family = supervisor.environment.family.bootloader, let update = supervisor.update else {
      supervisor.update = nil
      return
    }
    // Everything is at hand before the board is touched.
    var installation: (any FirmwareInstallation)?
    if update.target.goal == .install {
      do throws(CommandFailure) {
        installation = try await Self.installation(for: update.target, supervisor)
      } catch {
        await UpdateEffects.take(.postponed(fetchPause, because: error.message), by: supervisor)
        return
      }
    }
    let scheduler = supervisor.environment.scheduler
    let grant = await scheduler.permit(
      for: supervisor.board, pin: supervisor.setup.desired.adapter, failures: 0, purpose: .update)
    guard let grant else { return }
    guard supervisor.isWanted, supervisor.update?.visit(at: supervisor.uptime) == place else {
      return await scheduler.attemptFailed(grant, BoardConnectAttempt.givenUp)
    }
    supervisor.link.abort = TaskWaker()
    supervisor.status.state.adapter = grant.adapter
    let attempt = BoardConnectAttempt(
      board: place, adapter: grant.adapter,
      timeout: supervisor.environment.configuration.bluetooth.connectTimeout,
      radio: supervisor.environment.radio, timekeeper: supervisor.environment.timekeeper,
      abort: supervisor.link.abort)
    switch await attempt.run() {
    case .failure(let failure):
      await scheduler.attemptFailed(grant, failure)
      await failed(failure, place, grant.adapter, supervisor)
    case .success(let link):
      await scheduler.linkUp(grant)
      let session = BootloaderSession(
        link: link, family: family, executor: supervisor.environment.radio.executor,
        timekeeper: supervisor.environment.timekeeper)
      await take(
        await visit(session, update.target, installation, supervisor), place, grant.adapter, supervisor)
      await scheduler.linkEnded(grant)
    }
  }

  /// The application was told to leave, or left by itself, while its bootloader is awaited.
  static func leftLink(on adapter: AdapterID, at place: BoardID, _ supervisor: isolated BoardSupervisor) async
  {
    do { try await supervisor.environment.timekeeper.sleep(for: restart) } catch { return }
    // Names, services and objects are those of what was there before.
    await supervisor.environment.radio.forget(place, on: adapter)
    supervisor.update?.lostSight()
    supervisor.link.machine.awaitAdvertisement()
  }

  /// The session's whole life; ended early where the board is no longer wanted.
  private static func visit(
    _ session: BootloaderSession, _ target: UpdateTarget, _ installation: (any FirmwareInstallation)?,
    _ supervisor: isolated BoardSupervisor
  ) async -> BootloaderSession.End {
    // The attempt to connect has used up its own; who wanted the end of that wants none of this.
    let (abort, timekeeper) = (TaskWaker(), supervisor.environment.timekeeper)
    supervisor.link.abort = abort
    if !supervisor.isWanted { abort.wake() }
    return await withTaskGroup(of: BootloaderSession.End?.self) { [supervisor] group in
      group.addTask {
        await session.run { found in
          await decide(found, target, installation, supervisor)
        } progress: { transferred in
          await UpdateEffects.take(transferred, by: supervisor)
        }
      }
      group.addTask {
        await abort.sleep(atMost: nil, by: timekeeper)
        await session.close()
        return nil
      }
      var end: BootloaderSession.End?
      for await finished in group where finished != nil {
        end = finished
        group.cancelAll()
      }
      return end ?? .failed(BoardConnectAttempt.givenUp)
    }
  }

  /// What is done with the board that answered.
  private static func decide(
    _ found: BootloaderDescription, _ target: UpdateTarget, _ installation: (any FirmwareInstallation)?,
    _ supervisor: isolated BoardSupervisor
  ) async -> BootloaderSession.Errand {
    // Somebody may have ordered other firmware since that was fetched.
    guard supervisor.update?.target == target else { return .stay }
    var images: [any InstallableImage] = []
    var needed = Result<Int, CommandFailure>.success(0)
    if let installation {
      do throws(CommandFailure) {
        images = try installation.images(for: found)
        needed = .success(images.count { !$0.isApplication })
      } catch { needed = .failure(error) }
    }
    supervisor.status.answered(found, uptime: supervisor.uptime)
    for effect in await UpdateEffects.take(.bootloader(found, needed: needed), by: supervisor) ?? [] {
      if effect == .leave { return .leave }
      guard case .send(let window) = effect, let image = images.first else { continue }
      // On disk before the first byte: whoever is killed from now on finds a board that has to be rescued.
      guard await UpdateEffects.take(.beginning, by: supervisor) != nil else {
        await UpdateEffects.take(.postponed(fetchPause, because: "it cannot be stored"), by: supervisor)
        return .stay
      }
      return .install(image, window: window)
    }
    return .stay
  }

  private static func take(
    _ end: BootloaderSession.End, _ place: BoardID, _ adapter: AdapterID,
    _ supervisor: isolated BoardSupervisor
  ) async {
    switch end {
    case .failed(let failure): return await failed(failure, place, adapter, supervisor)
    case .visited: break
    case .activated(let isApplication):
      await UpdateEffects.take(.activated(isApplication: isApplication), by: supervisor)
    case .broke(let failure): await UpdateEffects.take(.broke(failure), by: supervisor)
    }
    await leftLink(on: adapter, at: place, supervisor)
  }

  private static func failed(
    _ failure: LinkFailure, _ place: BoardID, _ adapter: AdapterID, _ supervisor: isolated BoardSupervisor
  ) async {
    // The system may still know the services of what was there before.
    if failure.recovery == .rediscover { await supervisor.environment.radio.forget(place, on: adapter) }
    await UpdateEffects.take(.postponed(pause, because: failure.message), by: supervisor)
    supervisor.update?.lostSight()
    // The system's word that the board was connected told of its bootloader.
    supervisor.link.machine.awaitAdvertisement()
  }

  private static func installation(
    for target: UpdateTarget, _ supervisor: isolated BoardSupervisor
  ) async throws(CommandFailure) -> any FirmwareInstallation {
    guard let firmware = supervisor.environment.firmware, let recipient = target.recipient else {
      throw CommandFailure(.unsupported, "this gateway does not install firmware")
    }
    return try await firmware.installation(
      InstallationRequest(
        recipient: recipient, version: target.version, file: target.file,
        allowsBootloader: target.allowsBootloader, sum: target.sum))
  }
}
