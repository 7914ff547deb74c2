import EventLoops
import Synchronization

/// Wakes one task that waits until it is worth looking again. A ring before the wait is not lost, several count as
/// one, and waking for nothing is allowed: whoever waits looks for itself.
final class Bell: Sendable {
  private struct State {
    var hasRung = false
    var sleeper: CheckedContinuation<Void, Never>?
  }

  private let loop: EventLoop
  private let state = Mutex(State())

  init(on loop: EventLoop) { self.loop = loop }

  func ring() {
    let sleeper = state.withLock { state in
      state.hasRung = state.sleeper == nil
      defer { state.sleeper = nil }
      return state.sleeper
    }
    sleeper?.resume()
  }

  /// Returns at the next ring, after `limit`, or when the task is cancelled; `evenIfCancelled`: not for that.
  func wait(atMost limit: Duration? = nil, evenIfCancelled: Bool = false) async {
    let timer = limit.map { loop.schedule(after: $0) { [weak self] in self?.ring() } }
    defer { timer?.cancel() }
    if evenIfCancelled { return await sleep() }
    await withTaskCancellationHandler {
      await sleep()
    } onCancel: {
      ring()
    }
  }

  private func sleep() async {
    await withCheckedContinuation { continuation in
      let hasRung = state.withLock { state in
        if !state.hasRung { state.sleeper = continuation }
        defer { state.hasRung = false }
        return state.hasRung
      }
      if hasRung { continuation.resume() }
    }
  }
}
