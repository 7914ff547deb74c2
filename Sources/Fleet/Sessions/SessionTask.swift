import BoardKit
import FleetModel

/// One thing a session does with its board, in its turn.
enum SessionTask: Sendable {
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
  case ordersApplied(CheckedContinuation<Bool, Never>?)
  /// Look at the slots of the board.
  case survey
  /// Stop everything and bring the board to the orders' streams anew.
  case restart
  /// Switch off what the board sends although nobody asked for it.
  case endStaleSubscriptions
  /// Read a polled stream.
  case poll(StreamKey)
  /// Read the battery for its schedule.
  case battery
  /// Carry out a command unless it has expired when its turn comes.
  case perform(LinkIntent, expires: Timestamp, CommandProgress, CheckedContinuation<CommandOutcome, Never>)

  /// What comes up again by itself, and need not wait twice.
  enum Routine: Hashable, Sendable {
    case clock, endStaleSubscriptions, battery
    case poll(StreamKey)
  }

  var routine: Routine? {
    switch self {
    case .clock: .clock
    case .endStaleSubscriptions: .endStaleSubscriptions
    case .battery: .battery
    case .poll(let key): .poll(key)
    default: nil
    }
  }

  /// The link ended before its turn came: nothing of it was sent.
  func abandon(because failure: LinkFailure?) {
    if case .ordersApplied(let continuation) = self { continuation?.resume(returning: false) }
    guard case .perform(_, _, _, let continuation) = self else { return }
    continuation.resume(
      returning: .failed(
        CommandFailure(
          .unreachable, "the connection was lost before the command was sent: \(failure?.message ?? "closed")"
        )))
  }
}

/// Somebody waits for the first sample of a stream.
struct FirstSampleWaiter {
  var deadline: Duration
  var continuation: CheckedContinuation<Bool, Never>
}
