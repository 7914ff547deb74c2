/// How the last run of the gateway ended where nobody stopped it in order (MQTT contract 1.6, `last_crash`).
public struct CrashReport: Hashable, Sendable {
  /// What ended it.
  public enum Cause: String, Sendable, CaseIterable {
    /// A signal that it did not catch: a fault of the program, or somebody who killed it.
    case signal
    /// It gave up, with an exit status.
    case exit
    /// The computer restarted without stopping it, or lost its power.
    case powerLoss = "power-loss"
    /// The service manager waited in vain for its start, its stop or a sign that it goes on.
    case timeout
    /// The kernel needed the memory.
    case outOfMemory = "out-of-memory"
    /// Nobody knows.
    case unknown
  }

  /// What ended it.
  public var cause: Cause
  /// The signal's name, such as `SIGSEGV`; nil where there was none.
  public var signal: String?
  /// The exit status; nil where there was none.
  public var status: Int?
  /// What it said last, in a sentence; nil where it said nothing.
  public var message: String?
  /// When it ended; nil where nobody knows.
  public var ended: Timestamp?
  /// How many runs in a row ended so, this one included; 1 or more.
  public var count: Int

  /// Describes the end of a run.
  public init(
    _ cause: Cause, signal: String? = nil, status: Int? = nil, message: String? = nil,
    ended: Timestamp? = nil, count: Int = 1
  ) {
    self.cause = cause
    self.signal = signal
    self.status = status
    self.message = message
    self.ended = ended
    self.count = count
  }

  /// In a sentence.
  public var sentence: String {
    let end =
      switch cause {
      case .signal: "was ended by \(signal ?? "a signal")"
      case .exit: "ended with exit status \(status.map(String.init) ?? "unknown")"
      case .powerLoss: "ended with the computer, which restarted or lost its power"
      case .timeout:
        "was ended by the service manager, which had waited in vain for its start, its stop or a sign of progress"
      case .outOfMemory: "was ended by the kernel, which needed its memory"
      case .unknown: "ended without a word"
      }
    let said = message.map { ": \($0)" } ?? ""
    let row = count > 1 ? "; it is number \(count) in a row that nobody stopped" : ""
    return "the last run of the gateway \(end)\(said)\(row)"
  }
}
