import Synchronization

/// A process in a seeded world: what runs on it runs in the world's one thread, until it is killed. From then on
/// nothing of it runs, wherever it was: no clean-up, no last word, as after `kill -9`.
///
/// What outlives the process, such as a broker, must have executors of its own: an actor that dies while it works
/// stays locked.
package final class SeededProcess: TaskExecutor, SerialExecutor {
  private struct State {
    var isAlive = true
    /// What waits until it goes on; nil while it does.
    var held: [UnownedJob]?
    /// How many jobs it has left before it halts; nil where nothing makes it.
    var jobsLeft: Int?
    var jobs = 0
    var lastJob: Int?
    var mourners: [CheckedContinuation<Void, Never>] = []
  }

  private let world: SeededWorld
  private let state: Mutex<State>

  /// A process that dies by itself after so many jobs; nil for one that must be killed.
  package init(in world: SeededWorld, dyingAfter jobs: Int? = nil) {
    self.world = world
    state = Mutex(State(lastJob: jobs))
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    guard isAlive else { return }
    world.enqueue(UnownedJob(job), of: self)
  }

  package func isIsolatingCurrentContext() -> Bool? { true }
  package func checkIsolated() {}
  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// Whether it still runs.
  package var isAlive: Bool { state.withLock { $0.isAlive } }

  /// How many jobs it has run.
  package var jobsRun: Int { state.withLock { $0.jobs } }

  /// Ends it between two jobs.
  package func kill() {
    let mourners = state.withLock { state in
      state.isAlive = false
      defer { state.mourners.removeAll() }
      return state.mourners
    }
    for mourner in mourners { mourner.resume() }
  }

  /// Lets nothing of it run until `goOn`, as SIGSTOP does, or a disk that takes its time: whoever asked it something
  /// waits. `jobs` of it run before that.
  package func halt(after jobs: Int = 0) { state.withLock { $0.jobsLeft = jobs } }

  /// What has waited runs.
  package func goOn() {
    let held = state.withLock { state in
      defer { (state.held, state.jobsLeft) = (nil, nil) }
      return state.held ?? []
    }
    for job in held { world.enqueue(job, of: self) }
  }

  /// Returns once it is dead.
  package func death() async {
    await withCheckedContinuation { continuation in
      let isDead = state.withLock { state in
        if state.isAlive { state.mourners.append(continuation) }
        return !state.isAlive
      }
      if isDead { continuation.resume() }
    }
  }

  /// For the world: whether this job may run now. Counts it.
  func takeTurn(for job: UnownedJob) -> Bool {
    let (mayRun, isOver) = state.withLock { state in
      guard state.isAlive else { return (false, false) }
      if state.jobsLeft == 0 {
        state.held = (state.held ?? []) + [job]
        return (false, false)
      }
      state.jobsLeft? -= 1
      if let last = state.lastJob, state.jobs >= last { return (false, true) }
      state.jobs += 1
      return (true, false)
    }
    if isOver { kill() }
    return mayRun
  }
}
