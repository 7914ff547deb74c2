import BoardKit
import FleetModel

/// Grants connection slots, one connection attempt at a time per adapter, to whom `ConnectionSlotPlan` puts first.
actor ConnectionScheduler {
  private let timekeeper: any Timekeeper
  private var placesPerAdapter: Int
  private var plan = ConnectionSlotPlan()
  private var waiters: [BoardID: SlotWaiter] = [:]
  private var requests = 0
  private let waker = TaskWaker()
  /// Woken when adapters, links or boards that wait are others than before, for whoever publishes them.
  private let changes: TaskWaker?
  /// Links that have to give way to boards that wait.
  nonisolated let preempted: AsyncStream<ConnectionSlotPlan.Grant>
  private let preempting: AsyncStream<ConnectionSlotPlan.Grant>.Continuation
  /// What the adapters' documents tell of connections.
  private(set) var statistics: [AdapterID: Statistics] = [:]

  /// Whoever waits for a permit; the number tells one request of a board from the next.
  private struct SlotWaiter {
    var request: Int
    var since: Timestamp
    var grants: AsyncStream<ConnectionSlotPlan.Grant>.Continuation
  }

  struct Statistics: Hashable, Sendable {
    var connectsOK = 0
    var connectsFailed = 0
    var lastError: StatedReason?
    var lastErrorTime: Timestamp?
  }

  init(timekeeper: any Timekeeper, placesPerAdapter: Int?, changes: TaskWaker? = nil) {
    self.timekeeper = timekeeper
    self.changes = changes
    (preempted, preempting) = AsyncStream.makeStream()
    self.placesPerAdapter = placesPerAdapter ?? ConnectionSlotPlan.optimisticLimit
  }

  /// Another number of places for links; nil = as many as adapters turn out to have. Links there are stay.
  func change(placesPerAdapter: Int?) {
    self.placesPerAdapter = placesPerAdapter ?? ConnectionSlotPlan.optimisticLimit
    for adapter in plan.adapters.keys { plan.adapters[adapter]?.limit = self.placesPerAdapter }
    changed()
  }

  func update(_ adapter: AdapterID, isUsable: Bool) {
    plan.update(adapter, isUsable: isUsable, limit: placesPerAdapter)
    changed()
  }

  func advertised(_ board: BoardID, by adapter: AdapterID, rssi: Int?) {
    plan.advertised(board, by: adapter, rssi: rssi, at: timekeeper.uptime)
    if !plan.waiting.isEmpty { serve() }
  }

  /// Waits for a permit; nil when the wait was given up.
  func permit(
    for board: BoardID, pin: AdapterID?, failures: Int, purpose: ConnectionSlotPlan.Purpose
  ) async -> ConnectionSlotPlan.Grant? {
    withdraw(board)
    // A stream and not a continuation, because waiting for its first element ends by itself when cancelled.
    let (grants, continuation) = AsyncStream<ConnectionSlotPlan.Grant>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    requests += 1
    let request = requests
    waiters[board] = SlotWaiter(request: request, since: timekeeper.now, grants: continuation)
    plan.request(
      .init(board: board, pin: pin, failures: failures, purpose: purpose, since: timekeeper.uptime))
    changed()
    var iterator = grants.makeAsyncIterator()
    let grant = await iterator.next(isolation: #isolation)
    if grant == nil, waiters[board]?.request == request { withdraw(board) }
    return grant
  }

  /// Gives up a wait.
  func withdraw(_ board: BoardID) {
    plan.withdraw(board)
    guard let waiter = waiters.removeValue(forKey: board) else { return }
    waiter.grants.finish()
    changes?.wake()
  }

  /// The operating system says that a board's link is up, whether its services are known or not.
  func connected(_ board: BoardID, on adapter: AdapterID) {
    plan.linkUp(ConnectionSlotPlan.Grant(board: board, adapter: adapter))
    changed()
  }

  func linkUp(_ grant: ConnectionSlotPlan.Grant) {
    plan.linkUp(grant)
    statistics[grant.adapter, default: .init()].connectsOK += 1
    changed()
  }

  func attemptFailed(_ grant: ConnectionSlotPlan.Grant, _ failure: LinkFailure) {
    plan.attemptFailed(grant, noSlots: failure.reason == .noSlots, at: timekeeper.uptime)
    statistics[grant.adapter, default: .init()].connectsFailed += 1
    statistics[grant.adapter]?.lastError = StatedReason(failure.reason.code, failure.message)
    statistics[grant.adapter]?.lastErrorTime = timekeeper.now
    changed()
  }

  /// An adapter is there that no board can be connected over.
  func cannotUse(_ adapter: AdapterID, _ reason: StatedReason) {
    statistics[adapter, default: .init()].lastError = reason
    statistics[adapter]?.lastErrorTime = timekeeper.now
  }

  func linkEnded(_ grant: ConnectionSlotPlan.Grant) {
    plan.linkEnded(grant)
    changed()
  }

  /// A link that was to give way cannot end now.
  func keep(_ grant: ConnectionSlotPlan.Grant) { plan.keep(grant, at: timekeeper.uptime) }

  func forget(_ board: BoardID) {
    withdraw(board)
    plan.forget(board)
  }

  /// Adapters and who is on them.
  var adapters: [AdapterID: ConnectionSlotPlan.Adapter] { plan.adapters }
  /// How many boards wait for their turn.
  var waiting: Int { plan.waiting.count }

  /// Serves who waits for time to pass, until it is cancelled.
  func run() async {
    while !Task.isCancelled {
      serve()
      await waker.sleep(atMost: plan.due.map { $0 - timekeeper.uptime }, by: timekeeper)
    }
  }

  /// Who waits for an adapter, and since when, the longest waiting first.
  func queue(for adapter: AdapterID) -> ConnectionQueue {
    let requests = plan.queue(for: adapter, at: timekeeper.uptime).compactMap { request in
      waiters[request.board].map {
        ConnectionQueue.Request(board: request.board, purpose: request.purpose.word, since: $0.since)
      }
    }
    return ConnectionQueue(waiting: waiting, requests: requests)
  }

  /// Serves who can be served by now, and has it published.
  private func changed() {
    serve()
    changes?.wake()
  }

  private func serve() {
    let due = plan.due
    defer { if plan.due != due { waker.wake() } }
    while let grant = plan.grant(at: timekeeper.uptime) {
      let continuation = waiters.removeValue(forKey: grant.board)?.grants
      changes?.wake()
      // Nobody waits any more: the place goes to the next one.
      guard let continuation, case .enqueued = continuation.yield(grant) else {
        plan.attemptFailed(grant, noSlots: false, at: timekeeper.uptime)
        continue
      }
      continuation.finish()
    }
    while let grant = plan.preempt(at: timekeeper.uptime) { preempting.yield(grant) }
  }
}
