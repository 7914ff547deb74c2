import FleetModel
import Synchronization

/// One thread, one queue, and a clock that jumps to the next sleeper when nothing is left to do: everything in a
/// test happens in one order, and a day costs nothing.
final class VirtualTime: TaskExecutor, SerialExecutor, Timekeeper {
  private struct State {
    var jobs: [UnownedJob] = []
    var uptime = Duration.zero
    var sleepers: [(deadline: Duration, number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    var cancelled: Set<Int> = []
    var lastNumber = 0
  }

  private let state = Mutex(State())

  var uptime: Duration { state.withLock { $0.uptime } }
  var now: Timestamp { Timestamp(milliseconds: 1_763_671_234_000) + uptime }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// Runs `body`, and all that it starts, on the calling thread until it returns.
  static func run(_ body: @escaping @Sendable (VirtualTime) async throws -> Void) throws {
    let world = VirtualTime()
    let outcome = Mutex<Result<Void, any Error>?>(nil)
    let task = Task(executorPreference: world) {
      let result: Result<Void, any Error>
      do { result = .success(try await body(world)) } catch { result = .failure(error) }
      outcome.withLock { $0 = result }
    }
    while outcome.withLock({ $0 == nil }) {
      guard world.step() else {
        task.cancel()
        throw Standstill()
      }
    }
    try outcome.withLock { try $0?.get() }
  }

  /// Everybody waits and nobody sleeps.
  struct Standstill: Error {}

  private func step() -> Bool {
    if let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
      job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
      return true
    }
    let sleeper = state.withLock { state in
      let next = state.sleepers.indices.min {
        let (one, other) = (state.sleepers[$0], state.sleepers[$1])
        return (one.deadline, one.number) < (other.deadline, other.number)
      }
      let sleeper = next.map { state.sleepers.remove(at: $0) }
      if let sleeper { state.uptime = max(state.uptime, sleeper.deadline) }
      return sleeper
    }
    sleeper?.continuation.resume(returning: true)
    return sleeper != nil
  }

  func sleep(for duration: Duration) async throws(CancellationError) {
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    let isAwake = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state in
          if state.cancelled.remove(number) != nil { return true }
          state.sleepers.append((state.uptime + max(duration, .zero), number, continuation))
          return false
        }
        if isCancelled { continuation.resume(returning: false) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let index = state.sleepers.firstIndex { $0.number == number }
        if index == nil { state.cancelled.insert(number) }
        return index.map { state.sleepers.remove(at: $0) }
      }
      sleeper?.continuation.resume(returning: false)
    }
    if !isAwake { throw CancellationError() }
  }
}
