import FleetModel
import Logging
import Storage

/// What the broker will not have: parked on the disk with its reason, told, and offered again; never lost and never
/// taken for delivered (fault F66). Confined to its uplink.
final class RefusedMessages {
  /// Rows that are offered again at once.
  private static let retryLimit = 500

  private let environment: UplinkEnvironment
  private var summary = RefusalSummary()

  init(_ environment: UplinkEnvironment) { self.environment = environment }

  /// Takes rows that came back together: one transaction for all of one reason, one line of the log for each kind and
  /// minute, however many they are. Returns those that the disk does not take; its trouble is told by whoever writes.
  func park(_ rows: [RefusedRow]) async -> [OutboxRow.ID] {
    var isChanged = false
    var left: [OutboxRow.ID] = []
    for (reason, same) in Dictionary(grouping: rows, by: \.reason).sorted(by: { $0.key < $1.key }) {
      do throws(StoreFailure) {
        try await environment.store.outbox.markRefused(
          same.map(\.id), because: reason, at: environment.now)
      } catch {
        left += same.map(\.id)
      }
    }
    for row in rows {
      if let entry = summary.refused(row, at: environment.uptime) { await report(entry) }
      if summary.note(row.topic, isRefused: true) { isChanged = true }
    }
    if isChanged { await reportTopics() }
    return left
  }

  /// The broker took a message on this topic.
  func delivered(to topic: String) async {
    if summary.note(topic, isRefused: false) { await reportTopics() }
  }

  /// Tells what was gathered, and offers refused rows again; `isSetAside`: there are some of which the disk does not
  /// know. Returns whether some wait by now. Where none are left, as they have become too old, nothing is refused.
  func retry(isConnected: Bool, isSetAside: Bool) async -> Bool {
    for entry in summary.due(at: environment.uptime) { await report(entry) }
    guard isConnected else { return false }
    do throws(StoreFailure) {
      let rows = try await environment.store.outbox.retryRefused(
        limit: Self.retryLimit, at: environment.now)
      if rows == 0, !isSetAside, summary.clear() { await reportTopics() }
      return rows > 0
    } catch {
      environment.log.error("refused messages cannot be queued again", metadata: ["reason": "\(error)"])
      return false
    }
  }

  private func reportTopics() async {
    await environment.handlers.connection(.refusing(summary.topics, reason: summary.reason))
  }

  private func report(_ entry: RefusalSummary.Entry) async {
    environment.log.error(
      "the broker refuses messages; they are kept and offered again",
      metadata: ["topic": "\(entry.topic)", "reason": "\(entry.reason)", "count": "\(entry.rows)"])
    await environment.handlers.connection(
      .refused(topic: entry.topic, kind: entry.kind, reasonCode: entry.reasonCode, rows: entry.rows))
  }
}
