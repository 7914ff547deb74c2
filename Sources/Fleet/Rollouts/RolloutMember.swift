import FleetModel

/// How far a board of a rollout is.
struct RolloutMember: Hashable, Sendable {
  enum State: Hashable, Sendable {
    /// It was not begun, or is to be begun again, but not before then.
    case waiting(notBefore: Timestamp?)
    /// It is being updated, over this adapter.
    case running(since: Timestamp, AdapterID)
    /// It failed by its time, and is still being updated as far as anybody knows.
    case overdue(AdapterID)
    case done, failed
    /// Its update ended with the board in its bootloader, without firmware.
    case stranded
    /// It will not be begun.
    case skipped
  }

  var state = State.waiting(notBefore: nil)
  /// How often it was begun, and how often it failed.
  var attempts = 0
  var failures = 0
  /// What had been counted of it when it had the firmware.
  var counted: Counted?
  /// Why it waits again, failed or is stranded.
  var reason: String?

  /// What only grows, as far as it had grown.
  struct Counted: Hashable, Sendable {
    var resets: Int
    var linkFailures: Int

    init(resets: Int, linkFailures: Int) { (self.resets, self.linkFailures) = (resets, linkFailures) }

    init(_ health: BoardHealth) {
      self.init(resets: health.unexpectedResets, linkFailures: health.linkFailures)
    }

    /// What came to it. A gateway that was restarted counts from nothing, and so all that it counted came to it.
    func since(_ health: BoardHealth) -> BoardHealth {
      func more(_ now: Int, than before: Int) -> Int { now < before ? now : now - before }
      var health = health
      health.unexpectedResets = more(health.unexpectedResets, than: resets)
      health.linkFailures = more(health.linkFailures, than: linkFailures)
      return health
    }
  }

  /// Where it is being updated; nil where it is not.
  var adapter: AdapterID? {
    switch state {
    case .running(_, let adapter), .overdue(let adapter): adapter
    case .waiting, .done, .failed, .stranded, .skipped: nil
    }
  }

  var isWaiting: Bool { if case .waiting = state { true } else { false } }
  var isRunning: Bool { if case .running = state { true } else { false } }
  var hasFailed: Bool { if case .overdue = state { true } else { state == .failed } }
  var isFinished: Bool { state == .done || state == .stranded || hasFailed }
}

/// As it is kept.
extension RolloutMember {
  /// Reads what `document` wrote; nil where it cannot be read any more.
  init?(document: JSONObject) {
    let time = document["time_ms"]?.integer.map { Timestamp(milliseconds: $0) }
    let adapter = document["adapter"]?.string.flatMap { AdapterID($0) }
    switch (document["state"]?.string, time, adapter) {
    case ("waiting", _, _): state = .waiting(notBefore: time)
    case ("running", let time?, let adapter?): state = .running(since: time, adapter)
    case ("overdue", _, let adapter?): state = .overdue(adapter)
    case ("done", _, _): state = .done
    case ("failed", _, _): state = .failed
    case ("stranded", _, _): state = .stranded
    case ("skipped", _, _): state = .skipped
    default: return nil
    }
    attempts = Int(document["attempts"]?.integer ?? 0)
    failures = Int(document["failures"]?.integer ?? 0)
    reason = document["reason"]?.string
    if let resets = document["resets"]?.integer, let linkFailures = document["link_failures"]?.integer {
      counted = Counted(resets: Int(clamping: resets), linkFailures: Int(clamping: linkFailures))
    }
  }

  var document: JSONObject {
    var document: JSONObject = [
      "state": .string(word), "attempts": .integer(Int64(attempts)), "failures": .integer(Int64(failures)),
    ]
    document["resets"] = counted.map { .integer(Int64($0.resets)) }
    document["link_failures"] = counted.map { .integer(Int64($0.linkFailures)) }
    document["adapter"] = adapter.map { .string($0.description) }
    document["reason"] = reason.map { .string($0) }
    switch state {
    case .waiting(let time?), .running(let time, _): document["time_ms"] = .integer(time.milliseconds)
    case .waiting(nil), .overdue, .done, .failed, .stranded, .skipped: break
    }
    return document
  }

  /// What its state is called.
  var word: String {
    switch state {
    case .waiting: "waiting"
    case .running: "running"
    case .overdue: "overdue"
    case .done: "done"
    case .failed: "failed"
    case .stranded: "stranded"
    case .skipped: "skipped"
    }
  }
}
