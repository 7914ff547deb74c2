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

  /// Compares. Without `known`, the board may still run whatever an earlier session or another host began, of all that
  /// this driver can start (`leftOver`). Subscriptions outlive the link (section 2.3) and are switched off. Of sensors,
  /// only those are stopped that stand in the way of what is wanted, and those that we began ourselves (`begun`):
  /// somebody may be recording with the others. Units that were seen to run just as they shall (`proved`) go on.
  init(
    from known: RunningSensors?, to wanted: RunningSensors, leftOver: [SensorRun],
    proved: Set<SensorRun.Unit> = [],
    begun: RunningSensors = RunningSensors()
  ) {
    guard let known else {
      let kept = proved.union(proved.flatMap { wanted.runs[$0]?.chips ?? [] })
      let due = begun.units.union(wanted.claimed).subtracting(kept)
      let last = leftOver.sorted { $0.unit > $1.unit }
      // Of what shares a register with others, only our bits are switched off; what it told is silenced below.
      let parts = due.subtracting(leftOver.map(\.unit)).compactMap { unit -> SensorRun? in
        if case .detector = unit { return (begun.runs[unit] ?? wanted.runs[unit])?.stopOnly }
        return begun.runs[unit]?.stopOnly
      }
      stopped = (last.filter { due.contains($0.unit) } + parts).sorted { $0.unit > $1.unit }
      started = wanted.ordered.filter { !proved.contains($0.unit) }
      heard = proved.sorted().flatMap { wanted.runs[$0]?.registers ?? [] }
      let silenced = last.filter { !due.contains($0.unit) }.flatMap(\.registers)
      muted = silenced.filter { !heard.contains($0) }
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

  /// Settings, which are read back before anything starts.
  var configuration: [BoardStep] { started.flatMap(\.configure) }

  /// Subscriptions, then starts; but for units whose settings the board did not take.
  func starts(except unset: Set<SensorRun.Unit> = []) -> [BoardStep] {
    let started = started.filter { !unset.contains($0.unit) }
    return (started.flatMap(\.registers) + heard).map { .write($0.subscribe) }
      + started.flatMap(\.start).map { .write($0) }
  }
}
