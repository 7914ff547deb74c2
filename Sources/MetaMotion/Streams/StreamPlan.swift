import FleetModel

/// What brings a board from what it is known to run to what it shall run. Equal setups give nothing to do; what differs
/// in who hears of it goes on.
///
/// Between the two halves the caller lets the board answer something: then every packet of the old setup has arrived,
/// and none of it is read with the scale of the new one.
struct StreamPlan: Hashable, Sendable {
  /// What ends, in reverse of the order in which it was started (protocol reference, section 7).
  private(set) var stopped: [SensorRun] = []
  /// What begins.
  private(set) var started: [SensorRun] = []
  /// Registers that are no longer heard, or newly, while what they tell of goes on for others.
  private(set) var muted: [Register] = []
  private(set) var heard: [Register] = []

  var isEmpty: Bool { stopped.isEmpty && started.isEmpty && muted.isEmpty && heard.isEmpty }

  /// Compares. Without `known`, the board may still run whatever an earlier session began, because subscriptions
  /// outlive the link (section 2.3): everything this driver can start, `leftOver`, is switched off first, but for units
  /// that were seen to run just as they shall (`proved`).
  init(
    from known: BoardSetup?, to wanted: BoardSetup, leftOver: [SensorRun], proved: Set<SensorRun.Unit> = []
  ) {
    guard let known else {
      let kept = proved.union(proved.flatMap { wanted.runs[$0]?.chips ?? [] })
      stopped = leftOver.filter { !kept.contains($0.unit) }.sorted { $0.unit > $1.unit }
      started = wanted.ordered.filter { !proved.contains($0.unit) }
      let tellers = leftOver.filter { kept.contains($0.unit) }.sorted { $0.unit > $1.unit }
      heard = proved.sorted().flatMap { wanted.runs[$0]?.registers ?? [] }
      muted = tellers.flatMap(\.registers).filter { !heard.contains($0) }
      return
    }
    var changed = Set(
      Set(known.runs.keys).union(wanted.runs.keys).filter {
        known.runs[$0]?.subscribing(only: []) != wanted.runs[$0]?.subscribing(only: [])
      })
    // What rests on something that begins anew begins anew with it.
    for run in known.ordered + wanted.ordered {
      if let base = run.base, changed.contains(base) { changed.insert(run.unit) }
    }
    stopped = known.ordered.filter { changed.contains($0.unit) }.reversed()
    started = wanted.ordered.filter { changed.contains($0.unit) }
    for run in wanted.ordered where !changed.contains(run.unit) {
      let registers = known.runs[run.unit]?.registers ?? []
      muted += registers.filter { !run.registers.contains($0) }
      heard += run.registers.filter { !registers.contains($0) }
    }
  }

  /// Stops, then subscriptions.
  var stop: [BoardStep] {
    let writes =
      stopped.flatMap { run in run.stop + run.registers.map(\.unsubscribe) } + muted.map(\.unsubscribe)
    let rest = started.isEmpty ? .zero : stopped.map(\.rest).max() ?? .zero
    return writes.map { .write($0) } + (rest > .zero ? [.pause(rest)] : [])
  }

  /// Configuration, subscriptions, then starts.
  var start: [BoardStep] {
    started.flatMap(\.configure) + (started.flatMap(\.registers) + heard).map { .write($0.subscribe) }
      + started.flatMap(\.start).map { .write($0) }
  }
}
