import Dialects
import FleetModel
import Storage

/// Publishes what was delivered once more, for a broker that lost what it had acknowledged (fault F67). Confined to its
/// uplink.
final class Replay {
  /// Rows that are looked through at once.
  private static let page = 200
  /// How often progress is reported at most (MQTT contract 3.1).
  private static let progressPeriod = Duration.seconds(1)

  private let environment: UplinkEnvironment
  /// Nil while none is under way.
  private var tally: ReplayProgress?
  private let waker = TaskWaker()

  init(_ environment: UplinkEnvironment) { self.environment = environment }

  var isUnderWay: Bool { tally != nil }

  /// Publishes again, byte for byte and marked, what was delivered of the requested period, oldest first and no faster
  /// than asked for. `progress` hears the share of the period that is done, in percent. Ends early when its task is
  /// cancelled or the gateway stops. One at a time; nil: there is one already.
  func run(
    _ request: ReplayRequest, through outbox: Outbox, progress: @Sendable (Double) async -> Void
  ) async throws(StoreFailure) -> ReplayProgress.Amount? {
    guard tally == nil else { return nil }
    tally = ReplayProgress()
    defer { tally = nil }
    let period = request.period(until: environment.now)
    var pace = BacklogRateLimit(perSecond: request.rate, at: environment.uptime)
    var last: OutboxRow.ID = 0
    var lastReport = environment.uptime
    while !isOver(outbox) {
      let rows = try await environment.store.outbox.delivered(
        madeIn: period, after: last, limit: Self.page)
      guard let newest = rows.last else { break }
      last = newest.id
      let wanted = rows.filter { row in
        environment.dialect.origin(of: row.message.topic).map { request.wants($0.lane, of: $0.board) }
          ?? false
      }
      await publish(wanted, through: outbox, &pace)
      guard environment.uptime - lastReport >= Self.progressPeriod else { continue }
      lastReport = environment.uptime
      await progress(period.share(before: newest.message.created) * 100)
    }
    return tally?.done
  }

  /// The broker has answered for a row of it.
  func answered(_ token: OutboxRow.ID, isDelivered: Bool) {
    tally?.answered(token, isDelivered: isDelivered)
  }

  /// A new connection: what was under way on the old one goes again.
  func resume(through outbox: Outbox) async {
    guard let tally else { return }
    await send(tally.unanswered, through: outbox)
    wake()
  }

  /// There may be room for more, or the gateway stops.
  func wake() { waker.wake() }

  private func isOver(_ outbox: Outbox) -> Bool { Task.isCancelled || outbox.isStopping }

  /// Returns when the broker has answered for all of them.
  private func publish(_ rows: [OutboxRow], through outbox: Outbox, _ pace: inout BacklogRateLimit) async {
    var waiting = rows[...]
    while !isOver(outbox), let tally, !waiting.isEmpty || !tally.isAnswered {
      let allowance = pace.allowance(at: environment.uptime)
      let room = min(tally.room(in: outbox.inFlight.window), allowance)
      let next = outbox.isConnected ? waiting.prefix(max(0, room)) : []
      waiting = waiting.dropFirst(next.count)
      pace.spent(next.count)
      await send(Array(next), through: outbox)
      let isHeldBack = !waiting.isEmpty && outbox.isConnected && allowance == 0
      await waker.sleep(atMost: isHeldBack ? pace.wait : nil, by: environment.timekeeper)
    }
  }

  private func send(_ rows: [OutboxRow], through outbox: Outbox) async {
    guard !rows.isEmpty else { return }
    tally?.sent(rows)
    await outbox.publish(rows.map { ($0.marked, ReplayProgress.token(of: $0)) })
  }
}

extension OutboxRow {
  /// As it goes out for the second time.
  fileprivate var marked: MQTTMessage {
    var message = message.message
    message.properties.user.append(.init("replay", "1"))
    return message
  }
}

extension Range<Timestamp> {
  /// How much of it lies before `time`, 0 to 1.
  fileprivate func share(before time: Timestamp) -> Double {
    let whole = (upperBound - lowerBound).inSeconds
    return whole > 0 ? Swift.min(Swift.max((time - lowerBound).inSeconds / whole, 0), 1) : 1
  }
}
