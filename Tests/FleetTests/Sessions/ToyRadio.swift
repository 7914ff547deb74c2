import BoardKit
import FleetModel
import Support
import Synchronization
import VirtualTime

/// A radio whose attempts end as a test says: with a toy board's link, unless something is in the way.
actor ToyRadio: Radio {
  nonisolated let world: SeededWorld
  nonisolated var executor: any SerialExecutor { world }
  nonisolated var unownedExecutor: UnownedSerialExecutor { world.asUnownedSerialExecutor() }
  nonisolated let events: AsyncStream<RadioEvent>

  /// How an attempt ends.
  enum Attempt: Sendable {
    case opens(ToyLink.Faults)
    case fails(LinkFailure.Reason)
    /// Nothing happens until the time is over.
    case hangs
  }

  private var next: [BoardID: [Attempt]] = [:]
  private var always: [BoardID: Attempt] = [:]
  /// How long it takes to connect, and boards that take longer.
  private var pace = Duration.milliseconds(200)
  private var slow: [BoardID: Duration] = [:]
  /// When which board was tried.
  private(set) var attempts: [(board: BoardID, at: Duration)] = []
  /// When which board's device was removed.
  private(set) var removals: [(board: BoardID, at: Duration)] = []
  /// All links there have been, oldest first.
  private(set) var links: [ToyLink] = []
  /// How long the session ticker paused.
  nonisolated let pauses = Mutex<[Duration]>([])
  /// How much later the next beats come, as when the thread that reads packets is held up.
  nonisolated let delays = Mutex<[Duration]>([])
  private let (births, born) = AsyncStream<ToyLink>.makeStream()

  init(world: SeededWorld) {
    self.world = world
    events = AsyncStream { _ in }
  }

  /// The next attempts of a board end so, one after the other; then as `always` says, which is with a sound link.
  func plan(_ board: BoardID, _ attempts: [Attempt], always: Attempt? = nil) {
    next[board] = attempts
    self.always[board] = always
  }

  /// Connecting takes `pace`, or as `slow` says.
  func take(_ pace: Duration, slow: [BoardID: Duration]) { (self.pace, self.slow) = (pace, slow) }

  /// Lets the boards on all links live.
  func run() async {
    await withDiscardingTaskGroup { group in
      for await link in births { group.addTask { await link.live() } }
    }
  }

  func discover(_ isWanted: Bool, unfiltered: Bool) {}

  func connect(
    to board: BoardID, via adapter: AdapterID, timeout: Duration
  ) async throws(LinkFailure) -> any BoardLink {
    attempts.append((board, world.uptime))
    var planned = next[board] ?? []
    let attempt = planned.isEmpty ? always[board] ?? .opens(ToyLink.Faults()) : planned.removeFirst()
    next[board] = planned
    switch attempt {
    case .opens(let faults):
      await pause(slow[board] ?? pace)
      let link = ToyLink(board: board, adapter: adapter, world: world, faults: faults)
      links.append(link)
      born.yield(link)
      return link
    case .fails(let reason): throw LinkFailure(reason, "as planned")
    case .hangs:
      await pause(timeout)
      throw LinkFailure(.unreachable, "the board did not answer")
    }
  }

  func forget(_ board: BoardID, on adapter: AdapterID) { removals.append((board, world.uptime)) }

  func use(_ adapters: Set<AdapterID>?) {}

  func expect(_ boards: Set<BoardID>, isSilenceNormal: Bool) {}

  /// The link that was opened last.
  var link: ToyLink? { links.last }

  nonisolated func pause(
    for duration: Duration, by timekeeper: any Timekeeper
  ) async throws(CancellationError) {
    pauses.withLock { $0.append(duration) }
    let delay = delays.withLock { $0.popLast() } ?? .zero
    try await timekeeper.sleep(for: duration + delay)
  }

  private func pause(_ duration: Duration) async { try? await world.sleep(for: duration) }
}
