import FleetModel
import Logging
import Storage

/// How the store is, and what is published of that.
extension Gateway {
  /// The store refused something, or takes it again.
  func stored(_ part: StorageStatus.Part, _ failure: StoreFailure?) async {
    let old = storage.condition
    if let new = storage.note(part, failure) { await publish(new, after: old, failure.map { "\($0)" }) }
  }

  func stored(_ part: StorageStatus.Part, as condition: StorageCondition?) async {
    let old = storage.condition
    if let new = storage.note(part, condition) { await publish(new, after: old, nil) }
  }

  /// One line in the log, the event under both its names, and health at once.
  private func publish(_ new: StorageCondition, after old: StorageCondition, _ reason: String?) async {
    environment.log.log(
      level: new == .fine ? .notice : .error, "storage \(new.rawValue)",
      metadata: ["before": "\(old.rawValue)", "reason": "\(reason ?? new.advice)"])
    var fields = JSONObject()
    fields["free_bytes"] = environment.host.measure()[.storageFree].map { .integer(Int64($0)) }
    let message = new == .fine ? nil : reason ?? new.advice
    await publish(.storage, new.eventType, fields: fields, message: message)
    if let type = StorageStatus.olderType(of: new, after: old) {
      await publish(.storageFull, type, fields: fields, message: message)
    }
    await GatewayReports.publishHealth(self)
    services.reportWaker.wake()
  }
}
