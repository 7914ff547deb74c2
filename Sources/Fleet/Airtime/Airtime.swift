import BoardKit
import FleetModel

/// The slot market: hands out permits to connect, one at a time per adapter, to whom `AirtimePlan` puts first.
actor Airtime {
  private let timekeeper: any Timekeeper
  private var placesPerAdapter: Int
  private var plan = AirtimePlan()
  private var grantees: [BoardID: Grantee] = [:]
  private var wishes = 0
  /// What the adapters' documents tell of connections.
  private(set) var statistics: [AdapterID: Statistics] = [:]

  /// Whoever waits for a permit; the number tells one wish of a board from the next.
  private struct Grantee {
    var wish: Int
    var grants: AsyncStream<AirtimePlan.Grant>.Continuation
  }

  struct Statistics: Hashable, Sendable {
    var connectsOK = 0
    var connectsFailed = 0
    var lastError: StatedReason?
    var lastErrorTime: Timestamp?
  }

  init(timekeeper: any Timekeeper, placesPerAdapter: Int?) {
    self.timekeeper = timekeeper
    self.placesPerAdapter = placesPerAdapter ?? AirtimePlan.optimisticLimit
  }

  /// Another number of places for links; nil = as many as adapters turn out to have. Links there are stay.
  func change(placesPerAdapter: Int?) {
    self.placesPerAdapter = placesPerAdapter ?? AirtimePlan.optimisticLimit
    for adapter in plan.adapters.keys { plan.adapters[adapter]?.limit = self.placesPerAdapter }
    serve()
  }

  func update(_ adapter: AdapterID, isUsable: Bool) {
    plan.adapters[adapter, default: .init(limit: placesPerAdapter)].isUsable = isUsable
    serve()
  }

  func remove(_ adapter: AdapterID) { plan.adapters[adapter]?.isUsable = false }

  func sighted(_ board: BoardID, by adapter: AdapterID, rssi: Int?) {
    plan.sighted(board, by: adapter, rssi: rssi, at: timekeeper.uptime)
    if !plan.waiting.isEmpty { serve() }
  }

  /// Waits for a permit; nil when the wait was given up.
  func permit(
    for board: BoardID, pin: AdapterID?, failures: Int, purpose: AirtimePlan.Purpose
  ) async -> AirtimePlan.Grant? {
    withdraw(board)
    // A stream and not a continuation, because waiting for its first element ends by itself when cancelled.
    let (grants, grantee) = AsyncStream<AirtimePlan.Grant>.makeStream(bufferingPolicy: .bufferingNewest(1))
    wishes += 1
    let wish = wishes
    grantees[board] = Grantee(wish: wish, grants: grantee)
    plan.request(
      .init(board: board, pin: pin, failures: failures, purpose: purpose, since: timekeeper.uptime))
    serve()
    var iterator = grants.makeAsyncIterator()
    let grant = await iterator.next(isolation: #isolation)
    if grant == nil, grantees[board]?.wish == wish { withdraw(board) }
    return grant
  }

  /// Gives up a wait.
  func withdraw(_ board: BoardID) {
    plan.withdraw(board)
    grantees.removeValue(forKey: board)?.grants.finish()
  }

  /// The operating system says that a board's link is up, whether its services are known or not.
  func connected(_ board: BoardID, on adapter: AdapterID) {
    plan.linkUp(AirtimePlan.Grant(board: board, adapter: adapter))
    serve()
  }

  func linkUp(_ grant: AirtimePlan.Grant) {
    plan.linkUp(grant)
    statistics[grant.adapter, default: .init()].connectsOK += 1
    serve()
  }

  func attemptFailed(_ grant: AirtimePlan.Grant, _ failure: LinkFailure) {
    plan.attemptFailed(grant, noSlots: failure.reason == .noSlots, at: timekeeper.uptime)
    statistics[grant.adapter, default: .init()].connectsFailed += 1
    statistics[grant.adapter]?.lastError = StatedReason(failure.reason.code, failure.message)
    statistics[grant.adapter]?.lastErrorTime = timekeeper.now
    serve()
  }

  func linkEnded(_ grant: AirtimePlan.Grant) {
    plan.linkEnded(grant)
    serve()
  }

  func forget(_ board: BoardID) {
    withdraw(board)
    plan.forget(board)
  }

  /// Adapters and who is on them.
  var adapters: [AdapterID: AirtimePlan.Adapter] { plan.adapters }
  /// How many boards wait for their turn.
  var waiting: Int { plan.waiting.count }

  private func serve() {
    while let grant = plan.grant(at: timekeeper.uptime) {
      let grantee = grantees.removeValue(forKey: grant.board)?.grants
      // Nobody waits any more: the place goes to the next one.
      guard let grantee, case .enqueued = grantee.yield(grant) else {
        plan.attemptFailed(grant, noSlots: false, at: timekeeper.uptime)
        continue
      }
      grantee.finish()
    }
  }
}
