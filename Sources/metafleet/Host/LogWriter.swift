import EventLoops
import FleetModel
import Logging
import Synchronization

/// Writes the daemon's log on a thread of its own: nobody who logs waits for whoever reads, and neither does the end of
/// the process (fault F218).
final class LogWriter: Sendable {
  private struct State: Sendable {
    var repeated = RepeatedLines()
    var queue = LineQueue()
    /// Whether the thread is at it, or about to be.
    var isWriting = false
    /// When the thread looks by itself, by uptime.
    var lookAt: Duration?
    /// Ends when everything is written.
    var drained: AsyncStream<Void>.Continuation?
  }

  private let state = Mutex(State())
  /// Its thread may be stuck in a write for ever, so nobody waits for it and it is never stopped.
  private let loop: EventLoop
  private let settings: LogSettings
  private let problems: RecentProblems?
  private let write: @Sendable ([UInt8]) -> Void
  private let start = ContinuousClock.now

  /// `problems` hears of warnings and errors. `write` writes bytes and may block.
  init(
    _ settings: LogSettings, problems: RecentProblems? = nil,
    write: @escaping @Sendable ([UInt8]) -> Void = { Console.note(bytes: $0) }
  ) throws(CommandLineFailure) {
    loop = try EventLoop.named("log")
    self.settings = settings
    self.problems = problems
    self.write = write
  }

  private var uptime: Duration { start.duration(to: .now) }

  /// Takes a line of the log.
  func take(_ line: LogLine) {
    put { [settings, problems] state, now in
      for line in state.repeated.take(line, at: now) { Self.add(line, to: &state, settings, problems) }
    }
  }

  /// Takes a line as it is.
  func take(text: String) { put { state, _ in state.queue.add(text) } }

  /// Writes how many lines there were of what repeats, and waits until everything is written, `limit` at most.
  func finish(within limit: Duration) async {
    let (drained, signal) = AsyncStream<Void>.makeStream()
    put { [settings, problems] state, _ in
      for line in state.repeated.finish() { Self.add(line, to: &state, settings, problems) }
      state.drained = signal
    }
    guard let clock = try? EventLoop.named("log-end") else { return }
    clock.schedule(after: limit) { signal.finish() }
    for await _ in drained {}
    clock.stop()
  }

  private static func add(
    _ line: LogLine, to state: inout State, _ settings: LogSettings, _ problems: RecentProblems?
  ) {
    if line.level >= .warning { problems?.note(line.text(.text)) }
    state.queue.add(line.text(settings.configuration.format, isDated: !LineLog.isInJournal))
  }

  /// Changes what waits, and has the thread write it.
  private func put(_ change: @Sendable (inout State, Duration) -> Void) {
    let now = uptime
    let (isIdle, look) = state.withLock { state -> (Bool, Duration?) in
      change(&state, now)
      let isIdle = !state.isWriting
      state.isWriting = true
      guard let next = state.repeated.next, state.lookAt.map({ next < $0 }) ?? true else {
        return (isIdle, nil)
      }
      state.lookAt = next
      return (isIdle, next)
    }
    if isIdle { loop.execute { self.writeAll() } }
    if let look { loop.schedule(after: look - now) { self.lookForRepeated() } }
  }

  /// A minute of what repeats is over.
  private func lookForRepeated() {
    put { [settings, problems] state, now in
      state.lookAt = nil
      for line in state.repeated.due(at: now) { Self.add(line, to: &state, settings, problems) }
    }
  }

  /// Only on the thread.
  private func writeAll() {
    while let bytes = next() { write(bytes) }
  }

  private func next() -> [UInt8]? {
    let settings = settings
    return state.withLock { state in
      if state.queue.isEmpty {
        state.isWriting = false
        state.drained?.finish()
        return nil
      }
      return state.queue.take { Self.notice(of: $0, settings) }
    }
  }

  private static func notice(of count: Int, _ settings: LogSettings) -> String {
    let line = LogLine(
      level: .warning,
      message: "\(CountText.of(count, "line")) \(count == 1 ? "was" : "were") dropped: nobody read them",
      time: .system
    )
    return line.text(settings.configuration.format, isDated: !LineLog.isInJournal)
  }
}
