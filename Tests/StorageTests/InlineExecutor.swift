import Synchronization

/// Runs every job at once on the thread that brings it, one at a time: enough for an actor that never waits.
final class InlineExecutor: SerialExecutor {
  private let jobsRun = Mutex(0)

  var count: Int { jobsRun.withLock { $0 } }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobsRun.withLock { count in
      count += 1
      job.runSynchronously(on: asUnownedSerialExecutor())
    }
  }
}
