/// A task that waits for a timer of a loop or for its own cancellation, whichever comes first.
final class Sleeper: Sendable {
  private struct State: Sendable {
    var isOver = false
    var continuation: CheckedContinuation<Void, Never>?
    var timer: LoopTimer?
  }

  private let state = Guarded(State())

  /// Resumes `continuation` once: after `delay`, or when woken, also when that was before.
  func sleep(for delay: Duration, on loop: EventLoop, _ continuation: CheckedContinuation<Void, Never>) {
    state.withLock { $0.continuation = continuation }
    let timer = loop.schedule(after: delay) { self.wake() }
    let isOver = state.withLock { state in
      state.timer = timer
      return state.isOver
    }
    if isOver { wake() }
  }

  var isOver: Bool { state.withLock { $0.isOver } }

  /// Ends the sleep.
  func wake() {
    let (continuation, timer) = state.withLock { state in
      defer { (state.continuation, state.timer) = (nil, nil) }
      state.isOver = true
      return (state.continuation, state.timer)
    }
    timer?.cancel()
    continuation?.resume()
  }
}

extension EventLoop {
  /// Returns after `delay`, or throws as soon as the task is cancelled. The loop must not be stopped before.
  ///
  /// The runtime's own sleep makes a task for each and has threads of its own for timers: with five hundred boards that
  /// is 4 MB, and with ten at 100 Hz a sixth of the processor time.
  ///
  /// With `earliest` the sleep also ends behind the first look from then on that found something on a descriptor: what
  /// it brought is still in the processor's cache then.
  package func sleep(
    for delay: Duration, endingWithLookAfter earliest: Duration? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(CancellationError) {
    let sleeper = Sleeper()
    await withTaskCancellationHandler {
      // Without it the closure would begin on a thread of the runtime's.
      _ = isolation
      await withCheckedContinuation { continuation in
        sleeper.sleep(for: delay, on: self, continuation)
        if let earliest { wake(sleeper, withLookAfter: earliest) }
      }
    } onCancel: {
      sleeper.wake()
    }
    if Task.isCancelled { throw CancellationError() }
  }
}
