import EventLoops
package import FleetModel
import Synchronization

/// One thread on which a whole fleet lives in virtual time: task executor, serial executor and clock in one.
///
/// Which of the ready jobs runs next follows from the seed, so different seeds try different interleavings and the same
/// seed repeats one exactly. Time moves only when nothing is ready, straight to the next sleeper. A job that comes from
/// another thread breaks the promise; it is counted, and tests expect none.
package final class SeededWorld: TaskExecutor, SerialExecutor, Timekeeper {
  private typealias Sleepers = TimerHeap<Duration, CheckedContinuation<Bool, Never>>

  private struct Ready {
    let job: UnownedJob
    /// Whose it is; nil for what belongs to the world itself.
    let process: SeededProcess?
  }

  private struct State {
    var ready: [Ready] = []
    /// The earliest first, and of those who wake at the same time the one who lay down first.
    var sleepers = Sleepers()
    var beds: [Int: Sleepers.ID] = [:]
    var cancelled: Set<Int> = []
    var uptime = Duration.zero
    var issued = 0
    var jobs = 0
    var random: SeededGenerator
  }

  private let state: Mutex<State>
  private let start: Timestamp
  /// The seed all this follows from; print it with every failure.
  package let seed: UInt64

  /// What time it is when a world begins, unless it is given another one.
  package static let birth = Timestamp(milliseconds: 1_763_671_234_000)

  /// A world at rest.
  package init(seed: UInt64, start: Timestamp = SeededWorld.birth) {
    self.seed = seed
    self.start = start
    state = Mutex(State(random: SeededGenerator(seed: seed)))
  }

  // Executors.

  package func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job), of: nil) }

  func enqueue(_ job: UnownedJob, of process: SeededProcess?) {
    state.withLock { $0.ready.append(Ready(job: job, process: process)) }
  }

  package func isIsolatingCurrentContext() -> Bool? { true }
  package func checkIsolated() {}
  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  // Clock.

  package var uptime: Duration { state.withLock { $0.uptime } }
  package var now: Timestamp { start + uptime }

  package func sleep(for duration: Duration) async throws(CancellationError) {
    let number = state.withLock { state in
      state.issued += 1
      return state.issued
    }
    let isAwake = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state in
          if state.cancelled.remove(number) != nil { return true }
          state.beds[number] = state.sleepers.insert(continuation, at: state.uptime + max(.zero, duration))
          return false
        }
        if isCancelled { continuation.resume(returning: false) }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> CheckedContinuation<Bool, Never>? in
        guard let bed = state.beds[number] else {
          state.cancelled.insert(number)
          return nil
        }
        return state.sleepers.remove(bed)
      }
      sleeper?.resume(returning: false)
    }
    state.withLock { $0.beds[number] = nil }
    if !isAwake { throw CancellationError() }
  }

  // Running.

  /// How many jobs have run: equal for two runs of one seed.
  package var jobsRun: Int { state.withLock { $0.jobs } }

  /// Runs `body` and everything it starts to its end, on the calling thread. Returns nil when it has not ended after
  /// `limit` of virtual time, or waits for something that can never come.
  package func run<Result: Sendable>(
    atMost limit: Duration = .seconds(600), _ body: @escaping @Sendable () async -> Result
  ) -> Result? {
    let end = uptime + limit
    let outcome = Outcome<Result>()
    let task = Task(executorPreference: self) {
      let result = await body()
      outcome.value.withLock { $0 = result }
    }
    while outcome.value.withLock({ $0 == nil }) { guard uptime < end, step() else { break } }
    if outcome.value.withLock({ $0 == nil }) { task.cancel() }
    return outcome.value.withLock { $0 }
  }

  private final class Outcome<Result: Sendable>: Sendable {
    let value = Mutex<Result?>(nil)
  }

  /// Runs one job, or lets time pass to the next sleeper. Returns false when there is neither.
  private func step() -> Bool {
    enum Next {
      case job(Ready)
      case sleeper(CheckedContinuation<Bool, Never>)
      case nothing
    }
    let next: Next = state.withLock { state in
      if !state.ready.isEmpty {
        let index = Int(truncatingIfNeeded: state.random.next() % UInt64(state.ready.count))
        state.jobs += 1
        return .job(state.ready.remove(at: index))
      }
      guard let deadline = state.sleepers.nextDeadline(), let sleeper = state.sleepers.popDue(now: deadline)
      else { return .nothing }
      state.uptime = max(state.uptime, deadline)
      return .sleeper(sleeper)
    }
    switch next {
    case .job(let ready): run(ready)
    case .sleeper(let sleeper): sleeper.resume(returning: true)
    case .nothing: return false
    }
    return true
  }

  private func run(_ ready: Ready) {
    guard let process = ready.process else {
      return ready.job.runSynchronously(
        isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
    guard process.takeTurn(for: ready.job) else { return }
    ready.job.runSynchronously(
      isolatedTo: process.asUnownedSerialExecutor(), taskExecutor: process.asUnownedTaskExecutor())
  }
}
