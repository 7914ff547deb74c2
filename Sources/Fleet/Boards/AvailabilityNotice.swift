import FleetModel
import Logging

/// A board's availability, published and, where somebody may have to do something, in the log.
enum AvailabilityNotice {
  static func publish(
    _ new: Availability, after before: Availability?, by supervisor: isolated BoardSupervisor
  ) async {
    if let words = words(new.reason, after: before?.reason) {
      supervisor.environment.log.notice(
        "\(words)", metadata: .board(supervisor, ["reason": "\(new.reason.rawValue)"]))
    }
    await supervisor.environment.deliver([.availability(supervisor.board, new)])
  }

  /// What the log says of a board that is offline, or no longer. Nothing while nobody can know, as without an adapter
  /// or at the start, and of a board that was put to sleep.
  static func words(_ new: Availability.Reason, after before: Availability.Reason?) -> String? {
    let wasOffline = before?.state == .offline && before != .asleep
    if new.state == .offline, new != .asleep { return wasOffline ? nil : "the board is offline" }
    return wasOffline && new.state == .online ? "the board is online again" : nil
  }
}
