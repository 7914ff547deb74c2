package import FleetModel

/// How the last run ended, as `last_crash` of a gateway's `info` says it, and all but `message` the event `process`
/// `crashed` (MQTT contract 1.6 and 5).
package struct CrashDocument: TypedDocument {
  package var json: JSONObject

  package init(json: JSONObject) { self.json = json }

  package init(_ report: CrashReport) {
    self.init {
      $0[.cause] = report.cause
      $0[.signal] = report.signal
      $0[.status] = report.status
      $0[.message] = report.message
      $0[.ended] = report.ended
      $0[.count] = report.count
    }
  }

  /// What it says; a cause of a later version is unknown here.
  package var report: CrashReport {
    CrashReport(
      self[.cause] ?? .unknown, signal: self[.signal], status: self[.status], message: self[.message],
      ended: self[.ended], count: self[.count] ?? 1)
  }
}

extension CrashReport.Cause: DocumentValue {}

extension DocumentField where Document == CrashDocument, Value == CrashReport.Cause {
  package static var cause: Self { .init("reason") }
}

extension DocumentField where Document == CrashDocument, Value == String {
  package static var signal: Self { .init("signal") }
  package static var message: Self { .init("message") }
}

extension DocumentField where Document == CrashDocument, Value == Int {
  package static var status: Self { .init("status") }
  package static var count: Self { .init("count") }
}

extension DocumentField where Document == CrashDocument, Value == Timestamp {
  package static var ended: Self { .init("ended_ms") }
}
