import Dispatch
package import Testing

/// Runs a test on a thread of its own instead of one of those, as many as processors, that all tests share: for what
/// computes for seconds without a pause, such as whole fleets in virtual time. Two of them at once would let all others
/// stand still, and in those that go by real clocks commands would expire and links be given up.
package struct OwnThread: TestTrait, SuiteTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(ThreadExecutor()) { try await function() }
  }
}

extension Trait where Self == OwnThread {
  package static var ownThread: Self { Self() }
}

private final class ThreadExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "metafleet.test.own")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
