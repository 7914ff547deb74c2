import BoardKit
import FleetModel

/// What is known of the sensors that run on a board for us, from one order to the next.
struct KnownRuns {
  /// What the board runs for us; nil while that is not known.
  private(set) var running: RunningSensors?
  /// Whether something was ordered on this link.
  private(set) var isOrdered = false
  /// Units that we began, on this link or an earlier one: they may be stopped. Others belong to somebody else.
  private(set) var begun = RunningSensors()
  /// Units of which the board did not tell what they are set to.
  private(set) var unverified: Set<SensorRun.Unit> = []
  /// How sure we are of `running`.
  private(set) var evidence = Evidence.linkWrite

  /// What an earlier link began.
  mutating func recall(_ setup: RunningSensors) { begun = setup }

  /// The way to what is wanted. Units in `proved` were seen to run already just as they shall.
  mutating func order(_ selection: StreamSelection, proved: Set<SensorRun.Unit>) -> StreamPlan {
    isOrdered = true
    return StreamPlan(
      from: running, to: selection.setup, leftOver: selection.leftOver, proved: proved, begun: begun)
  }

  /// A plan is carried out. Until its end nobody knows what runs: where it fails, the next one starts from nothing.
  mutating func begin(_ setup: RunningSensors) {
    running = nil
    begun.formUnion(setup)
  }

  /// The settings of what starts were read back, but for those of `unread`.
  mutating func configure(_ plan: StreamPlan, unread: Set<SensorRun.Unit>) {
    unverified = unverified.subtracting(plan.started.map(\.unit)).union(unread)
  }

  /// A plan was carried out to its end; `answers` say whether its units run, as far as the board tells.
  mutating func reconcile(_ setup: RunningSensors, _ plan: StreamPlan, isRead: Bool, _ answers: Answers) {
    running = setup
    let isStart = plan.started.contains { $0.proof != nil }
    let provable = (isStart ? plan.started : plan.stopped).filter { $0.proof != nil }
    let isProved = provable.allSatisfy {
      isStart ? answers.started.contains($0.unit) : answers.stopped[$0.unit] == false
    }
    evidence = isRead && !provable.isEmpty && isProved ? .readback : .linkWrite
  }

  /// What the board says of the units of a plan.
  struct Answers {
    /// Whether those that were stopped still run.
    var stopped: [SensorRun.Unit: Bool]
    /// Those that were seen to have started.
    var started: Set<SensorRun.Unit>
  }

  /// Nothing had to be done.
  mutating func keep(_ setup: RunningSensors) {
    running = setup
    begun.formUnion(setup)
  }

  /// Slots of processors that were filled anew: whoever listened to what stood there does so no longer.
  mutating func forget(_ units: Set<SensorRun.Unit>) { running?.forget(units) }

  /// What runs is no longer known.
  mutating func invalidateCachedState() { running = nil }
}
