import Dispatch
import EventLoops
import Synchronization
import Testing

@testable import metafleet

@Suite struct WatchdogTests {
  /// Counts, and ends its stream at a number.
  private final class Count: Sendable {
    private let number = Atomic(0)
    private let end: Int
    private let signal: AsyncStream<Void>.Continuation
    let reached: AsyncStream<Void>

    init(to end: Int) {
      self.end = end
      (reached, signal) = AsyncStream<Void>.makeStream()
    }

    var value: Int { number.load(ordering: .relaxed) }
    func add() { if number.wrappingAdd(1, ordering: .relaxed).newValue >= end { signal.finish() } }
  }

  private func finish(_ stream: AsyncStream<Void>) async { for await _ in stream {} }

  @Test(.timeLimit(.minutes(20)), arguments: ProgressProof.Part.allCases)
  func `F98 while one part stands still the watchdog starves, and is fed again once it goes on`(
    stuck: ProgressProof.Part
  ) async {
    let (gate, open) = AsyncStream<Void>.makeStream()
    let (others, fed) = (Count(to: 20), Count(to: 3))
    let watchdog = Watchdog(
      around: { part in
        if part == stuck { await finish(gate) } else { others.add() }
      },
      pause: {
        try Task.checkCancellation()
        await Task.yield()
      }, feed: fed.add)
    await withDiscardingTaskGroup { group in
      group.addTask { await watchdog.run() }
      await finish(others.reached)
      #expect(fed.value == 0)
      open.finish()
      await finish(fed.reached)
      group.cancelAll()
    }
  }

  @Test(.timeLimit(.minutes(20)))
  func `F98 threads with nothing to do come back, and one that is held up lets the watchdog starve`()
    async throws
  {
    let (idle, busy) = (try EventLoop(name: "idle"), try EventLoop(name: "busy"))
    defer { for loop in [idle, busy] { loop.stop() } }
    let hold = DispatchSemaphore(value: 0)
    busy.execute { hold.wait() }
    let (others, fed) = (Count(to: 20), Count(to: 3))
    let watchdog = Watchdog(
      around: { part in
        await (part == .storage ? busy : idle).reach()
        if part != .storage { others.add() }
      },
      pause: { try Task.checkCancellation() }, feed: fed.add)
    await withDiscardingTaskGroup { group in
      group.addTask { await watchdog.run() }
      await finish(others.reached)
      #expect(fed.value == 0)
      hold.signal()
      await finish(fed.reached)
      group.cancelAll()
    }
  }

  @Test(
    arguments: [
      (["WATCHDOG_USEC": "60000000"], Duration.seconds(60)),
      (["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "7"], .seconds(60)),
      (["WATCHDOG_USEC": "60000000", "WATCHDOG_PID": "8"], nil),
      (["WATCHDOG_USEC": "soon"], nil), (["WATCHDOG_USEC": "0"], nil), ([:], nil),
    ] as [([String: String], Duration?)])
  func `F98 systemd says how long it waits, and whom it means`(
    environment: [String: String], limit: Duration?
  ) {
    #expect(SystemdNotifier(environment: environment, process: 7).watchdogLimit == limit)
  }
}
