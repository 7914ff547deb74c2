import EventLoops
import Synchronization

/// Wakes one task that waits until it is worth looking again. A wake before the wait is not lost, several count as
/// one, and waking for nothing is allowed: whoever waits looks for itself.
final class LoopWaker: Sendable {
  private struct State {
    var isWoken = false
    var sleeper: CheckedContinuation<Void, Never>?
  }

  private let loop: EventLoop
  private let state = Mutex(State())

  init(on loop: EventLoop) { self.loop = loop }

  func wake() {
    let sleeper = state.withLock { state in
      state.isWoken = state.sleeper == nil
      defer { state.sleeper = nil }
      return state.sleeper
    }
    sleeper?.resume()
  }

  /// Returns at the next wake, after `limit`, or when the task is cancelled; `evenIfCancelled`: not for that.
  func wait(atMost limit: Duration? = nil, evenIfCancelled: Bool = false) async {
    let timer = limit.map { loop.schedule(after: $0) { [weak self] in self?.wake() } }
    defer { timer?.cancel() }
    if evenIfCancelled { return await sleep() }
    await withTaskCancellationHandler {
      await sleep()
    } onCancel: {
      wake()
    }
  }

  private func sleep() async {
    await withCheckedContinuation { continuation in
      let isWoken = state.withLock { state in
        if !state.isWoken { state.sleeper = continuation }
        defer { state.isWoken = false }
        return state.isWoken
      }
      if isWoken { continuation.resume() }
    }
  }
}
