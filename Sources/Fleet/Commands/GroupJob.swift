import FleetModel

/// A command for a group: which member is begun next and when, who ended how, and what is published of it (MQTT
/// contract 4.2). Pure.
///
/// ```
/// not begun ──begin──▶ running ──ended──▶ done | failed | unknown
///     │ stopped (too many failures, cancelled): skipped
///     └ expired: failed
/// ```
struct GroupJob: Hashable, Sendable {
  /// How a member's command ended.
  enum Result: Hashable, Sendable {
    case done
    case failed(CommandFailure.Code)
    case unknown
  }

  /// Why no more members are begun.
  enum Stop: String, Hashable, Sendable { case aborted, cancelled }

  /// What to do next.
  enum Step: Hashable, Sendable {
    /// Begin this member's command.
    case begin(BoardID)
    /// The job expired before this member was begun.
    case expire(BoardID)
    /// Nothing until then, or until a member ends.
    case wait(until: Duration?)
    case finish
  }

  /// From so many finished members on, the share of failures is judged.
  static let judgedFrom = 5

  /// Fixed when the job was accepted; sorted.
  let members: [BoardID]
  let limits: JobLimits
  private(set) var results: [BoardID: Result] = [:]
  private(set) var stop: Stop?
  private var running: Set<BoardID> = []
  /// Members not begun, the next one last.
  private var waiting: [BoardID]
  private var nextStart = Duration.zero

  init(members: some Sequence<BoardID>, limits: JobLimits) {
    self.members = members.sorted()
    self.limits = limits
    waiting = self.members.reversed()
  }

  /// What is to be done now. A member that is to be begun, or expires, counts as running from then on.
  mutating func step(at now: Duration, isExpired: Bool) -> Step {
    guard stop == nil, let next = waiting.last else { return running.isEmpty ? .finish : .wait(until: nil) }
    if isExpired {
      begun(next)
      return .expire(next)
    }
    guard running.count < limits.parallel else { return .wait(until: nil) }
    guard now >= nextStart else { return .wait(until: nextStart) }
    // Rounded up, so that a minute never holds one too many.
    nextStart = now + .milliseconds((60_000 + limits.perMinute - 1) / limits.perMinute)
    begun(next)
    return .begin(next)
  }

  /// A member's command is under way: begun by `step`, or before a restart.
  mutating func begun(_ board: BoardID) {
    guard let place = waiting.lastIndex(of: board) else { return }
    waiting.remove(at: place)
    running.insert(board)
  }

  /// A member's command ended. Repeating it changes nothing.
  mutating func ended(_ board: BoardID, _ result: Result) {
    begun(board)
    guard running.remove(board) != nil else { return }
    results[board] = result
    judge()
  }

  private mutating func judge() {
    guard let limit = limits.abortFailPercent, stop == nil, results.count >= Self.judgedFrom else { return }
    let bad = results.values.count { $0 != .done }
    if bad * 100 > limit * results.count { stop = .aborted }
  }

  /// Takes over what members ended with before a restart; nobody knows in which order, so it is judged as a whole.
  mutating func resume(_ results: [BoardID: Result], stop: Stop?) {
    self.results = results
    self.stop = stop
    waiting.removeAll { results[$0] != nil }
    judge()
  }

  /// Members that were begun and have not ended.
  var unfinished: [BoardID] { running.sorted() }

  /// No more members are begun.
  mutating func stop(_ stop: Stop) { if self.stop == nil { self.stop = stop } }
}

// What is published.
extension GroupJob {
  var skipped: Int { stop == nil ? 0 : waiting.count }

  /// Counts as they stand; with `skipped` once no more members are begun.
  var counts: JSONObject {
    func number(_ value: Int) -> JSONValue { .integer(Int64(value)) }
    let (done, unknown) = (results.values.count { $0 == .done }, results.values.count { $0 == .unknown })
    var document: JSONObject = [
      "total": number(members.count), "done": number(done),
      "failed": number(results.count - done - unknown), "unknown": number(unknown),
      "pending": number(members.count - results.count - skipped),
    ]
    if let stop {
      document["skipped"] = number(skipped)
      document["stopped"] = .string(stop.rawValue)
    }
    return document
  }

  /// What a restart has to know that no member's answer tells.
  static func stop(in counts: JSONObject) -> Stop? { counts["stopped"]?.string.flatMap(Stop.init) }

  /// Whose command is over, in percent; those that will not be begun count.
  var percent: Double {
    members.isEmpty ? 100 : Double(results.count + skipped) / Double(members.count) * 100
  }

  /// When the rest may be over if it goes on as so far.
  func end(since start: Timestamp, at now: Timestamp) -> Timestamp? {
    guard !results.isEmpty, now > start else { return nil }
    return now + (now - start) * Double(members.count - results.count - skipped) / Double(results.count)
  }

  /// How the whole ended, and what is published beside.
  var summary: (outcome: CommandOutcome, data: JSONObject) {
    let notDone = results.filter { $0.value != .done }.sorted { $0.key < $1.key }
    var codes: [String: Int] = [:]
    for case .failed(let code) in results.values { codes[code.rawValue, default: 0] += 1 }
    var data = counts
    data["stopped"] = nil
    data["skipped"] = .integer(Int64(skipped))
    data["by_code"] = .object(
      JSONObject(codes.sorted { $0.key < $1.key }.map { ($0.key, .integer(Int64($0.value))) }))
    data["not_done"] = .array(notDone.prefix(100).map { Self.entry($0.key, $0.value) })
    return (outcome(codes), data)
  }

  private func outcome(_ codes: [String: Int]) -> CommandOutcome {
    let done = results.values.count { $0 == .done }
    if done == members.count { return .done(evidence: nil, data: JSONObject()) }
    var message = "\(done) of \(members.count) done"
    switch stop {
    case .aborted: message += "; \(skipped) not started, because too many failed"
    case .cancelled: message += "; cancelled before \(skipped) were started"
    case nil: break
    }
    // Of equally many the first by name, so that the same job ends the same way.
    let first = codes.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
    if let code = first.flatMap(CommandFailure.Code.init) { return .failed(CommandFailure(code, message)) }
    if stop == .cancelled, skipped > 0 { return .failed(CommandFailure(.expired, message)) }
    return .unknown(message: message)
  }

  private static func entry(_ board: BoardID, _ result: Result) -> JSONValue {
    var entry: JSONObject = ["board": .string(board.description)]
    switch result {
    case .done: entry["stage"] = "done"
    case .unknown: entry["stage"] = "unknown"
    case .failed(let code):
      entry["stage"] = "failed"
      entry["code"] = .string(code.rawValue)
    }
    return .object(entry)
  }
}

extension GroupJob.Result {
  init(_ outcome: CommandOutcome) {
    switch outcome {
    case .done: self = .done
    case .failed(let failure): self = .failed(failure.code)
    case .unknown: self = .unknown
    }
  }

  /// How a member ended by its stored final answer.
  init(stored reply: JSONObject) {
    switch reply["stage"]?.string {
    case "done": self = .done
    case "failed": self = .failed(reply["code"]?.string.flatMap(CommandFailure.Code.init) ?? .internal)
    default: self = .unknown
    }
  }
}
