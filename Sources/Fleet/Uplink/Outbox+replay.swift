import Dialects
import FleetModel
import Storage

/// A replay under way.
struct Replay: Sendable {
  /// What the broker has acknowledged of it.
  struct Amount: Hashable, Sendable {
    var messages = 0
    var samples = 0
  }

  private(set) var done = Amount()
  private(set) var underWay: [OutboxRow.ID: OutboxRow] = [:]
  let alarm = Alarm()

  /// Rows are known by the negative of their number: those that wait have the positive ones.
  static func id(of row: OutboxRow) -> OutboxRow.ID { -row.id }

  mutating func sent(_ row: OutboxRow) { underWay[Self.id(of: row)] = row }

  /// The broker has answered for a row. A refusal is no reason to offer history for ever.
  mutating func answered(_ id: OutboxRow.ID, isDelivered: Bool) {
    guard let row = underWay.removeValue(forKey: id), isDelivered else { return }
    done.messages += 1
    done.samples += row.message.samples
  }
}

/// What was delivered, once more, for a broker that lost what it had acknowledged (fault F67).
extension Outbox {
  /// Rows that are looked through at once.
  private static let replayPage = 200
  /// How often progress is told at most (MQTT contract 3.1).
  private static let progressPeriod = Duration.seconds(1)

  /// Publishes again, byte for byte and marked, what was delivered of the requested period, oldest first and no faster
  /// than asked for. `progress` hears the share of the period that is done, in percent. Ends early when its task is
  /// cancelled or the gateway stops. One at a time; nil: there is one already.
  func replay(
    _ request: ReplayRequest, progress: @Sendable (Double) async -> Void
  ) async throws(StoreFailure) -> Replay.Amount? {
    guard replay == nil else { return nil }
    replay = Replay()
    defer { replay = nil }
    let period = request.period(until: environment.now)
    var pace = DrainPace(perSecond: request.rate, at: environment.uptime)
    var last: OutboxRow.ID = 0
    var told = environment.uptime
    while !isReplayOver {
      let page = try await environment.store.outbox.delivered(
        madeIn: period, after: last, limit: Self.replayPage)
      guard let newest = page.last else { break }
      last = newest.id
      let wanted = page.filter { row in
        environment.dialect.origin(of: row.message.topic).map { request.wants($0.lane, of: $0.board) }
          ?? false
      }
      await publishAgain(wanted, &pace)
      guard environment.uptime - told >= Self.progressPeriod else { continue }
      told = environment.uptime
      await progress(period.share(before: newest.message.created) * 100)
    }
    return replay?.done
  }

  private var isReplayOver: Bool { Task.isCancelled || isStopping }

  /// Returns when the broker has answered for all of them. Never more than half of what may be under way is history,
  /// so that news are not held up.
  private func publishAgain(_ rows: [OutboxRow], _ pace: inout DrainPace) async {
    var waiting = rows[...]
    while !isReplayOver, let replay, !waiting.isEmpty || !replay.underWay.isEmpty {
      let room = min(
        deliveries.window.room, deliveries.window.capacity / 2 - replay.underWay.count)
      let allowance = pace.allowance(at: environment.uptime)
      let next = !isConnected ? [] : waiting.prefix(max(0, min(room, allowance)))
      waiting = waiting.dropFirst(next.count)
      pace.spent(next.count)
      await publish(again: Array(next))
      let isHeldBack = !waiting.isEmpty && isConnected && allowance == 0
      await replay.alarm.sleep(atMost: isHeldBack ? pace.wait : nil, by: environment.timekeeper)
    }
  }

  private func publish(again rows: [OutboxRow]) async {
    guard !rows.isEmpty else { return }
    for row in rows {
      replay?.sent(row)
      deliveries.sent(Replay.id(of: row))
    }
    await environment.broker.publish(rows.map { ($0.marked, UInt64(bitPattern: Replay.id(of: $0))) })
  }

  /// A new connection: what was under way on the old one goes again.
  func resumeReplay() async {
    guard let replay else { return }
    await publish(again: replay.underWay.values.sorted { $0.id < $1.id })
    replay.alarm.ring()
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
