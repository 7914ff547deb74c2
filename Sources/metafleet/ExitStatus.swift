/// What the process says when it ends (MQTT contract 8).
enum ExitStatus: Int32, Sendable {
  case ok = 0
  /// The answer is negative.
  case no = 1
  /// A command may have run.
  case unknown = 3
  case usage = 64
  /// Broker, bus or a needed program is not there.
  case unavailable = 69
  /// A fault of ours.
  case `internal` = 70
  /// State directory in use, or not writable.
  case taken = 73
  case tryLater = 75
  /// Broker or bus refused us.
  case notAllowed = 77
  case configuration = 78
}

/// Why a command ends without its result: what a person reads on standard error, and the exit status.
struct CommandLineFailure: Error, Hashable {
  var status: ExitStatus
  /// What is wrong and what to do; empty when everything was said already.
  var message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  func report() {
    if !message.isEmpty { Console.note("metafleet: \(message)") }
  }
}
