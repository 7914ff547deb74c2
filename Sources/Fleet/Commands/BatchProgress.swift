import FleetModel

/// How far the commands of a batch have come, and what is told of it (MQTT contract 3.11). Pure.
///
/// ```
/// pending ──begin──▶ running ──ended──▶ done | failed | unknown
///     └ one before was not done, cancelled, restarted: skipped
/// ```
///
/// It is written down before each command begins and after it ended, so that after a crash nothing is told of a command
/// that is not so.
struct BatchProgress: Hashable, Sendable {
  /// Where one of the commands stands.
  enum State: Hashable, Sendable {
    case pending, running, skipped
    case ended(CommandOutcome)
  }

  struct Step: Hashable, Sendable {
    var verb: String
    var state = State.pending
  }

  private(set) var steps: [Step]
  private let continuesAfterFailure: Bool
  /// Why the rest was not begun, where that is not because of a command that was not done.
  private var stop: CommandFailure?

  init(_ batch: BatchCommand) {
    steps = batch.steps.map { Step(verb: $0.verb) }
    continuesAfterFailure = batch.continuesAfterFailure
  }

  /// Which command is begun next; nil when there is none.
  var next: Int? { steps.firstIndex { $0.state == .pending } }

  /// Whether a command is under way.
  var isRunning: Bool { steps.contains { $0.state == .running } }

  /// A command is about to reach the board.
  mutating func begin(_ step: Int) { steps[step].state = .running }

  /// A command is over. One that may not begin takes all behind it along, as one that was not done may do.
  mutating func ended(_ step: Int, _ outcome: CommandOutcome) {
    if outcome == .failed(.cancelled) { return skipRest(.cancelled) }
    steps[step].state = .ended(outcome)
    if case .done = outcome { return }
    if !continuesAfterFailure { skipRest(nil) }
  }

  /// The gateway was restarted. What was under way may have been done; what was not begun is not begun any more.
  mutating func restarted() {
    for index in steps.indices where steps[index].state == .running {
      steps[index].state = .ended(
        .unknown(
          message: "the gateway was restarted while the command was running; it may have taken effect"))
    }
    skipRest(CommandFailure(.internal, "the gateway was restarted before the rest was begun"))
  }

  private mutating func skipRest(_ reason: CommandFailure?) {
    guard next != nil else { return }
    stop = reason
    for index in steps.indices where steps[index].state == .pending { steps[index].state = .skipped }
  }

  /// How the whole ended: done when every command was, else as the first that failed.
  var outcome: CommandOutcome {
    let ends = steps.enumerated().compactMap { index, step -> (Int, CommandOutcome)? in
      if case .ended(let outcome) = step.state { (index, outcome) } else { nil }
    }
    let proofs = ends.compactMap { _, outcome -> Evidence?? in
      if case .done(let evidence, _) = outcome { .some(evidence) } else { nil }
    }
    if proofs.count == steps.count {
      // What is weakest holds for all.
      let order = Evidence.allCases
      let weakest = proofs.compactMap { $0 }.max {
        (order.firstIndex(of: $0) ?? 0) < (order.firstIndex(of: $1) ?? 0)
      }
      return .done(evidence: weakest, data: JSONObject())
    }
    let count = "\(proofs.count) of \(steps.count) done"
    for case (let index, .failed(let failure)) in ends {
      return .failed(
        CommandFailure(
          failure.code, "\(name(of: index)): \(failure.message); \(count)", retryAfter: failure.retryAfter))
    }
    for case (let index, .unknown(let message)) in ends {
      return .unknown(message: "\(name(of: index)): \(message); \(count)")
    }
    return .failed(CommandFailure(stop?.code ?? .internal, "\(stop?.message ?? "not begun"); \(count)"))
  }

  private func name(of index: Int) -> String { "commands[\(index)] (\(steps[index].verb))" }
}

// What is published and stored.
extension BatchProgress {
  /// Bytes that the data of all commands may have together, so that the reply stays below its limit (MQTT contract 9).
  private static let dataLimit = 48 * 1_024

  /// Who hears of the whole hears of every command; the data of the longest answers are left out where all would be too
  /// long.
  var data: JSONObject {
    var results = steps.map(Self.result)
    var sizes = results.map { result in result["data"].map { JSONWriter.text(of: $0).utf8.count } ?? 0 }
    while sizes.reduce(0, +) > Self.dataLimit,
      let longest = sizes.indices.max(by: { sizes[$0] < sizes[$1] })
    {
      results[longest]["data"] = nil
      results[longest]["truncated"] = true
      sizes[longest] = 0
    }
    return ["results": .array(results.map { .object($0) })]
  }

  /// How much is over, in percent. `share` of the command under way is, 0–1.
  func percent(_ share: Double = 0) -> Double {
    let over = steps.count { $0.state != .pending && $0.state != .running }
    return (Double(over) + share) / Double(steps.count) * 100
  }

  private static func result(_ step: Step) -> JSONObject {
    var result: JSONObject = ["verb": .string(step.verb)]
    switch step.state {
    case .pending: result["stage"] = "pending"
    case .running: result["stage"] = "running"
    case .skipped: result["stage"] = "skipped"
    case .ended(.done(let evidence, let data)):
      result["stage"] = "done"
      result["evidence"] = evidence.map { .string($0.rawValue) }
      if !data.isEmpty { result["data"] = .object(data) }
    case .ended(.failed(let failure)):
      result["stage"] = "failed"
      result["code"] = .string(failure.code.rawValue)
      result["message"] = .string(failure.message)
      if !failure.data.isEmpty { result["data"] = .object(failure.data) }
    case .ended(.unknown(let message)):
      result["stage"] = "unknown"
      result["message"] = .string(message)
    }
    return result
  }

  /// Takes up what a reply on the way told; nil where it told of no batch. For what is to be told of one that a crash
  /// ended.
  init?(stored reply: JSONObject) {
    guard let results = reply["data"]?.object?["results"]?.array, !results.isEmpty else { return nil }
    steps = results.map { value in
      let result = value.object ?? JSONObject()
      return Step(verb: result["verb"]?.string ?? "", state: Self.state(of: result))
    }
    continuesAfterFailure = false
  }

  private static func state(of result: JSONObject) -> State {
    let data = result["data"]?.object ?? JSONObject()
    let message = result["message"]?.string ?? ""
    switch result["stage"]?.string {
    case "pending": return .pending
    case "skipped": return .skipped
    case "done":
      return .ended(.done(evidence: result["evidence"]?.string.flatMap(Evidence.init), data: data))
    case "failed":
      let code = result["code"]?.string.flatMap(CommandFailure.Code.init) ?? .internal
      return .ended(.failed(CommandFailure(code, message, data: data)))
    case "unknown": return .ended(.unknown(message: message))
    default: return .running
    }
  }
}
