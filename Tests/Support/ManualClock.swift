package import FleetModel
import Synchronization

/// A clock that stands still until a test moves it.
package final class ManualClock: Timekeeper {
  private struct Sleeper {
    let deadline: Duration
    let continuation: CheckedContinuation<Bool, Never>
  }

  /// Whoever waits for so many that sleep no longer than that.
  private struct Watcher {
    let count: Int
    let latest: Duration?
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var start: Timestamp
    var uptime = Duration.zero
    var issued = 0
    var sleepers: [Int: Sleeper] = [:]
    /// Sleepers that were cancelled before they lay down.
    var cancelled: Set<Int> = []
    var watchers: [Watcher] = []

    func isSatisfied(_ watcher: Watcher) -> Bool {
      sleepers.values.count { $0.deadline <= watcher.latest ?? $0.deadline } >= watcher.count
    }

    mutating func watchersSatisfied() -> [CheckedContinuation<Void, Never>] {
      let satisfied = watchers.filter(isSatisfied)
      watchers.removeAll(where: isSatisfied)
      return satisfied.map(\.continuation)
    }
  }

  private let state: Mutex<State>

  /// Starts at `now`.
  package init(now: Timestamp = Timestamp(milliseconds: 1_763_671_234_000)) {
    state = Mutex(State(start: now))
  }

  package var now: Timestamp { state.withLock { $0.start + $0.uptime } }
  package var uptime: Duration { state.withLock { $0.uptime } }

  /// Sets the wall clock as an administrator would; what measures spans does not notice.
  package func setNow(_ now: Timestamp) { state.withLock { $0.start = now - $0.uptime } }

  /// Lets time pass and wakes whoever slept that long.
  package func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.uptime += duration
      let uptime = state.uptime
      let due = state.sleepers.filter { $0.value.deadline <= uptime }
      for key in due.keys { state.sleepers.removeValue(forKey: key) }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.continuation.resume(returning: true) }
  }

  /// Returns once at least `count` sleep at the same time, each of them until `span` from now at the latest. Who works
  /// out anew how long to sleep has to be waited for with `span`: time that passes meanwhile would lengthen it.
  package func sleepers(atLeast count: Int = 1, within span: Duration? = nil) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        let watcher = Watcher(
          count: count, latest: span.map { state.uptime + $0 }, continuation: continuation)
        if state.isSatisfied(watcher) { return true }
        state.watchers.append(watcher)
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  package func sleep(for duration: Duration) async throws(CancellationError) {
    let number = state.withLock { state in
      state.issued += 1
      return state.issued
    }
    let isAwake = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        lieDown(number, for: duration, continuation)
      }
    } onCancel: {
      cancel(number)
    }
    if !isAwake { throw CancellationError() }
  }

  private func lieDown(
    _ number: Int, for duration: Duration, _ continuation: CheckedContinuation<Bool, Never>
  ) {
    let (outcome, watchers) = state.withLock { state -> (Bool?, [CheckedContinuation<Void, Never>]) in
      if state.cancelled.remove(number) != nil { return (false, []) }
      if duration <= .zero { return (true, []) }
      state.sleepers[number] = Sleeper(deadline: state.uptime + duration, continuation: continuation)
      return (nil, state.watchersSatisfied())
    }
    if let outcome { continuation.resume(returning: outcome) }
    for watcher in watchers { watcher.resume() }
  }

  private func cancel(_ number: Int) {
    let sleeper = state.withLock { state in
      let sleeper = state.sleepers.removeValue(forKey: number)
      if sleeper == nil { state.cancelled.insert(number) }
      return sleeper
    }
    sleeper?.continuation.resume(returning: false)
  }
}
