import Dispatch

/// An executor for actors that tests run beside each other: one job at a time, in order.
package final class SerialQueue: SerialExecutor {
  private let queue = DispatchQueue(label: "metafleet.test")

  /// An idle queue.
  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
