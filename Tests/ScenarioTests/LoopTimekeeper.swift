import EventLoops
import FleetModel
import Synchronization

/// Real time, with sleeps on an event loop's timers.
struct LoopTimekeeper: Timekeeper {
  let loop: EventLoop
  private let start = ContinuousClock.now
  private static let origin = Timestamp(milliseconds: 1_763_671_234_000)

  init(loop: EventLoop) { self.loop = loop }

  var uptime: Duration { start.duration(to: .now) }
  var now: Timestamp { Self.origin + uptime }

  func sleep(for duration: Duration) async throws(CancellationError) {
    let nap = Nap()
    let isOver = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard nap.begin(continuation) else { return continuation.resume(returning: false) }
        loop.schedule(after: duration) { nap.end(isOver: true) }
      }
    } onCancel: {
      nap.end(isOver: false)
    }
    if !isOver { throw CancellationError() }
  }

  private final class Nap: Sendable {
    private struct State {
      var continuation: CheckedContinuation<Bool, Never>?
      var isCancelled = false
    }
    private let state = Mutex(State())

    /// Returns false when it was cancelled before it began.
    func begin(_ continuation: CheckedContinuation<Bool, Never>) -> Bool {
      state.withLock { state in
        if state.isCancelled { return false }
        state.continuation = continuation
        return true
      }
    }

    func end(isOver: Bool) {
      let continuation = state.withLock { state in
        if !isOver { state.isCancelled = true }
        defer { state.continuation = nil }
        return state.continuation
      }
      continuation?.resume(returning: isOver)
    }
  }
}
