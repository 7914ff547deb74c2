import FleetModel

/// What systemd says of the end of a run, as `ExecStopPost=` of the unit writes it: a line of the time in seconds since
/// 1970 and `$SERVICE_RESULT`, `$EXIT_CODE`, `$EXIT_STATUS` (systemd.exec(5)). Pure.
struct ServiceResult: Hashable, Sendable {
  /// `success`, `exit-code`, `signal`, `core-dump`, `watchdog`, `timeout`, `oom-kill` and others.
  var result: String
  /// `exited`, `killed` or `dumped`; nil where there was no process.
  var code: String?
  /// A number, or the name of a signal without SIG.
  var status: String?
  var ended: Timestamp?

  init?(_ text: String) {
    let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count >= 2 else { return nil }
    ended = Int64(words[0]).map { Timestamp(milliseconds: 0) + .seconds($0) }
    result = words[1]
    code = words.count > 2 ? words[2] : nil
    status = words.count > 3 ? words[3] : nil
  }

  var isSuccess: Bool { result == "success" }
  /// The exit status of a process that ended by itself.
  var exitStatus: Int? { code == "exited" ? status.flatMap(Int.init) : nil }
  /// The signal that ended it.
  var signal: String? { code == "killed" || code == "dumped" ? status.map { "SIG\($0)" } : nil }

  /// What ended it.
  var cause: CrashReport.Cause {
    switch result {
    case "timeout", "watchdog": .timeout
    case "oom-kill": .outOfMemory
    default: exitStatus != nil ? .exit : signal != nil ? .signal : .unknown
    }
  }
}
