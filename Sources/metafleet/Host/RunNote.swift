import FleetModel

/// What a run leaves behind for the next one while nobody stops it in order: the file `run.json` of the state
/// directory. Pure.
struct RunNote: Hashable, Sendable {
  /// What a run said when it gave up.
  struct Failure: Hashable, Sendable {
    var status: Int
    var message: String?
    var time: Timestamp
  }

  /// Which start of the computer it ran in; nil where that cannot be told.
  var boot: String?
  /// How many runs before it, in a row, were not stopped in order.
  var crashes = 0
  var failure: Failure?

  init(boot: String?, crashes: Int) {
    self.boot = boot
    self.crashes = crashes
  }

  /// Reads what a run left; a file that is no such note still tells that there was one.
  init(_ bytes: [UInt8]) {
    let document = (try? StrictJSON.parse(bytes, limits: .trusting))?.object ?? [:]
    self.init(
      boot: document["boot"]?.string, crashes: max(0, Int(clamping: document["crashes"]?.integer ?? 0)))
    guard let status = document["status"]?.integer, let time = document["ended_ms"]?.integer else { return }
    failure = Failure(
      status: Int(clamping: status), message: document["message"]?.string, time: Timestamp(milliseconds: time)
    )
  }

  var bytes: [UInt8] {
    var document: JSONObject = ["crashes": .integer(Int64(crashes))]
    document["boot"] = boot.map { .string($0) }
    if let failure {
      document["status"] = .integer(Int64(failure.status))
      document["message"] = failure.message.map { .string($0) }
      document["ended_ms"] = .integer(failure.time.milliseconds)
    }
    return JSONWriter.render(document)
  }

  /// How the last run ended, by what it left, `note`, and what systemd said of it; nil where it was stopped in order.
  /// `boot` is the computer's present start.
  static func crash(_ note: RunNote?, _ service: ServiceResult?, boot: String?) -> CrashReport? {
    guard let note else {
      // Its end came before it had a directory, or behind its stop.
      guard let service, !service.isSuccess else { return nil }
      return report(service, count: 1)
    }
    let count = note.crashes == .max ? .max : note.crashes + 1
    if let failure = note.failure {
      return CrashReport(
        .exit, status: failure.status, message: failure.message, ended: failure.time, count: count)
    }
    if let service, !service.isSuccess { return report(service, count: count) }
    let isAnotherBoot = boot != nil && note.boot != nil && boot != note.boot
    return CrashReport(isAnotherBoot ? .powerLoss : .unknown, count: count)
  }

  private static func report(_ service: ServiceResult, count: Int) -> CrashReport {
    CrashReport(
      service.cause, signal: service.signal, status: service.exitStatus, ended: service.ended, count: count)
  }
}
