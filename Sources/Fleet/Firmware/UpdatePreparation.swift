import BoardKit
import FleetModel

/// What is done before a board is touched: firmware is fetched and checked, its log downloaded, its gates passed.
struct UpdatePreparation: Sendable {
  /// With the board's application; nil while the board is in its bootloader, where only the firmware is to be had.
  let session: BoardSession?
  let order: FirmwareOrder

  /// How long each question to the board may wait for its turn.
  private static let limit = Duration.seconds(300)

  /// What is to be installed. Throws why nothing is.
  func target(for supervisor: isolated BoardSupervisor) async throws(CommandFailure) -> UpdateTarget {
    guard let firmware = supervisor.environment.firmware, firmware.isPossible else {
      throw CommandFailure(.unsupported, "this gateway does not install firmware")
    }
    if order.file == nil {
      await firmware.check(unlessFresh: true)
      await FirmwareNotice.publish(by: supervisor)
    }
    guard let recipient = FirmwareCommand.recipient(of: supervisor) else {
      throw CommandFailure(.unreachable, "nobody knows which board it is, as it never answered")
    }
    let installation = try await firmware.installation(
      InstallationRequest(
        recipient: recipient, version: order.version, file: order.file,
        bootloader: supervisor.status.firmware.bootloader?.version, allowsBootloader: order.allowsBootloader))
    let installed = supervisor.status.identity.description?.firmwareRevision
    if let session { try await pass(installation, installed, session, supervisor) }
    return UpdateTarget(
      version: installation.version, sum: installation.sum, file: order.file, before: installed,
      serial: FirmwareCommand.serial(of: supervisor) ?? supervisor.status.firmware.bootloader?.serialNumber,
      recipient: recipient, allowsBootloader: order.allowsBootloader)
  }

  private func pass(
    _ installation: any FirmwareInstallation, _ installed: String?, _ session: BoardSession,
    _ supervisor: isolated BoardSupervisor
  ) async throws(CommandFailure) {
    var gates = UpdateGates(
      installed: installed, wanted: installation.version, isForced: order.isForced, battery: nil,
      isCharging: nil, allowsBootloader: order.allowsBootloader, entries: 0, discard: order.discard,
      signal: supervisor.link.signal(at: supervisor.uptime)?.strength)
    gates.battery = try await battery(session, supervisor)
    gates.isCharging = supervisor.state.battery.isCharging
    if let refusal = gates.refusal { throw refusal }
    // Only now: a download takes a while, and the board does not log behind it.
    gates.entries = try await entries(session, supervisor)
    if gates.entries > 0, gates.entries != order.discard {
      let outcome = await perform(.log(.download(resume: false, clear: true)), session, supervisor)
      if case .failed(let failure) = outcome { throw failure }
      gates.entries = try await entries(session, supervisor)
    }
    if let refusal = gates.refusal { throw refusal }
  }

  /// Percent; nil where the board does not say.
  private func battery(
    _ session: BoardSession, _ supervisor: isolated BoardSupervisor
  ) async throws(CommandFailure) -> Int? {
    switch await perform(
      .device(.read(ReadRequest(what: "battery", selectors: [:]))), session, supervisor)
    {
    case .done(_, let data): return data["battery_pct"]?.number.flatMap { Int(exactly: $0.rounded()) }
    // The connection is gone, which says nothing of the battery.
    case .failed(let failure) where failure.code == .unreachable: throw failure
    case .failed: return nil
    case .unknown(let message): throw CommandFailure(.unreachable, message)
    }
  }

  /// Entries of the board's log that nobody has.
  private func entries(
    _ session: BoardSession, _ supervisor: isolated BoardSupervisor
  ) async throws(CommandFailure) -> Int64 {
    switch await perform(.log(.status), session, supervisor) {
    case .done(_, let data): return data["undownloaded"]?.integer ?? 0
    // A board without a log has none to lose.
    case .failed(let failure) where failure.code == .unsupported: return 0
    case .failed(let failure): throw failure
    case .unknown(let message): throw CommandFailure(.unreachable, message)
    }
  }

  private func perform(
    _ intent: LinkIntent, _ session: BoardSession, _ supervisor: isolated BoardSupervisor
  ) async -> CommandOutcome {
    await session.perform(intent, expires: supervisor.now + Self.limit, .silent)
  }
}
