import BoardKit
import FleetModel

/// One thing a session does with its board, in its turn.
enum SessionWork: Sendable {
  /// Bring the board to the orders' streams.
  case apply
  /// Bring the board to the orders' program.
  case program
  /// Have the board log as ordered.
  case log
  /// Read the board's clock and log.
  case clock
  /// Do something that the contact is for.
  case agenda(VisitAgenda.Item)
  /// Bring the board to the orders' settings.
  case settings
  /// Tell that all orders before this were tried; and whoever waits for it, whether they were.
  case settled(CheckedContinuation<Bool, Never>?)
  /// Look at the slots of the board.
  case survey
  /// Stop everything and bring the board to the orders' streams anew.
  case restart
  /// Switch off what the board sends although nobody asked for it.
  case endLeftOvers
  /// Read a polled stream.
  case poll(StreamKey)
  /// Read the battery for its schedule.
  case battery
  /// Carry out a command unless it has expired when its turn comes.
  case perform(Intent, expires: Timestamp, CommandStages, CheckedContinuation<CommandOutcome, Never>)

  func run(in session: isolated BoardSession) async {
    switch self {
    case .apply: await session.applyStreams()
    case .program: await session.applyProgram()
    case .log: await session.tendLog()
    case .clock: await session.readClock()
    case .agenda(let item): await session.attend(to: item)
    case .settings: await session.applySettings()
    case .settled(let continuation):
      await session.environment.report(.settled)
      continuation?.resume(returning: session.end == nil)
    case .survey: await session.survey()
    case .restart: await session.restartStreams()
    case .endLeftOvers: await session.endLeftOvers()
    case .poll(let key): await session.poll(key)
    case .battery: await session.pollBattery()
    case .perform(let intent, let expires, let stages, let continuation):
      guard session.now < expires else {
        return continuation.resume(
          returning: .failed(CommandFailure(.expired, "other commands were before it until it expired")))
      }
      continuation.resume(returning: await session.carryOut(intent, stages))
    }
  }

  /// The link ended before its turn came: nothing of it was sent.
  func abandon(because failure: LinkFailure?) {
    if case .settled(let continuation) = self { continuation?.resume(returning: false) }
    guard case .perform(_, _, _, let continuation) = self else { return }
    continuation.resume(
      returning: .failed(
        CommandFailure(
          .unreachable, "the link ended before the command was sent: \(failure?.message ?? "closed")")))
  }
}

/// Somebody waits for the first sample of a stream.
struct FirstSampleWait {
  var deadline: Duration
  var continuation: CheckedContinuation<Bool, Never>
}
