import Dialects
import FleetModel
import Logging
import Storage

/// What goes to the broker but live samples: through the disk, and from memory while that refuses. Confined to its uplink.
final class Outbox {
  /// How long records, and the notes that they have arrived, may wait to share a commit.
  private static let commitSpan = Duration.milliseconds(250)
  /// Refused rows that are offered again at once.
  private static let retryLimit = 500

  private let environment: UplinkEnvironment
  private var random: SeededGenerator
  var isConnected = false
  private(set) var isStopping = false
  private var unkept = UnkeptMessages()
  private var disk = StoreWatch()
  private(set) var deliveries: Deliveries
  private var refusals = RefusalDigest()
  /// Batches' numbers, where some were dropped here.
  private var numbers = KeptNumbers()
  /// Sessions that the disk does not know to have begun, or to be over.
  private var marks = StreamMarks()
  /// A number of a birth that the disk does not know.
  private var unkeptBirth: Int?
  let replay: Replay
  private let alarm = Alarm()
  /// Rung behind every round of a gateway that stops.
  private let roundEnded = Alarm()

  init(_ environment: UplinkEnvironment, drainPerSecond: Int, seed: UInt64) {
    self.environment = environment
    replay = Replay(environment)
    random = SeededGenerator(seed: seed)
    deliveries = Deliveries(
      pace: DrainPace(perSecond: drainPerSecond, at: environment.uptime))
  }

  private var uptime: Duration { environment.uptime }

  /// Whether everything that came is on the disk.
  private var isKept: Bool { unkept.waiting.isEmpty && marks.isEmpty && !disk.isCommitting }

  /// Takes what happened. Never waits for the network or the disk.
  func deliver(_ events: [FleetEvent]) async {
    var passing: [(message: MQTTMessage, token: UInt64)] = []
    for event in events {
      guard let event = numbered(event) else { continue }
      if case .stream(let mark) = event { note(mark) }
      for outgoing in environment.dialect.messages(for: event) {
        if outgoing.deliveryClass == nil {
          passing.append((outgoing.message, 0))
        } else {
          queue(outgoing, of: event)
        }
      }
    }
    if isConnected, !passing.isEmpty { await environment.broker.publish(passing) }
    await sayFromMemory()
  }

  /// Queues a message for the next commit, which takes samples of `event` further.
  func queue(_ outgoing: OutgoingMessage, of event: FleetEvent? = nil) {
    guard let deliveryClass = outgoing.deliveryClass else { return }
    var row = OutboxMessage(
      outgoing.message, as: deliveryClass, samples: outgoing.samples, created: environment.now)
    if case .batch(let batch) = event { row.continues = OpenStream(batch) }
    unkept.keep(row)
    scheduleCommit(for: row)
  }

  /// Something went into the outbox without us. So many rows of it are news, which no backlog holds up.
  func grew(by news: Int = 0) {
    deliveries.entered(news)
    wake()
  }

  /// Something changed that the next round has to know.
  func wake() { alarm.ring() }

  /// Takes to the disk what waits in memory and empties the outbox, as far as that comes to an end before `deadline`, on the
  /// clock of `uptime`.
  func finish(before deadline: Duration) async {
    isStopping = true
    wake()
    replay.wake()
    while uptime < deadline, !Task.isCancelled, await !isFinished {
      await roundEnded.sleep(atMost: deadline - uptime, by: environment.timekeeper)
    }
  }

  private var isFinished: Bool {
    get async {
      guard isKept, isConnected else { return isKept }
      return (try? await environment.store.outbox.statistics().waiting.messages) ?? 0 == 0
    }
  }

  /// A backlog goes at so many messages a second from now on.
  func change(drainPerSecond: Int) { deliveries.pace.change(perSecond: drainPerSecond) }

  /// The birth of a connection whose number the disk refused.
  func keep(birth: Int) { unkeptBirth = birth }

  /// Takes note of a session of a stream that began or is over, with the next commit.
  private func note(_ mark: StreamMark) {
    marks.note(mark)
    scheduleCommit(within: Self.commitSpan)
  }

  /// The next commit is at once, for what is kept as for the note that it arrived: what is not noted is sent again after
  /// a crash. Records wait for each other.
  private func scheduleCommit(for message: OutboxMessage) {
    scheduleCommit(within: message.deliveryClass == .record ? Self.commitSpan : .zero)
  }

  private func scheduleCommit(within span: Duration) {
    if disk.schedule(at: uptime + span) { alarm.ring() }
  }

  /// Commits what waits, hands over what may go, until cancelled.
  func run() async -> StoreFailure? {
    while !Task.isCancelled {
      var pause: Duration?
      do throws(StoreFailure) {
        if disk.isDue(at: uptime, isHurried: isStopping) { try await commit() }
      } catch {
        if error.isFinal { return error }
        await refused(error)
      }
      // What is on the disk goes out, whether or not the disk takes more.
      do throws(StoreFailure) { pause = try await drain() } catch {
        if error.isFinal { return error }
        await refused(error)
        pause = StoreWatch.retryPause
      }
      if isStopping { roundEnded.ring() }
      let due = disk.wait(at: uptime)
      await alarm.sleep(atMost: [pause, due].compactMap(\.self).min(), by: environment.timekeeper)
    }
    return nil
  }

  /// Takes what waits to the disk, and notes there what the broker has: one transaction, one wait for the disk.
  private func commit() async throws(StoreFailure) {
    let store = environment.store
    if let change = disk.looked(try await store.room) { await environment.handlers.connection(change) }
    let rows = unkept.take(piece: disk.room.piece, isLow: disk.isLow)
    let answered = deliveries.takeSettled()
    let marks = marks.take(sparing: Set(unkept.waiting.compactMap(\.continues?.session)))
    disk.commitBegan(at: uptime)
    defer { disk.commitEnded() }
    do throws(StoreFailure) {
      if let unkept = unkeptBirth {
        try await store.births.keep(unkept)
        if unkeptBirth == unkept { unkeptBirth = nil }
      }
      // Nothing to write proves nothing.
      if disk.refusal != nil, rows.isEmpty, answered.isEmpty { try await store.probe() }
      let kept = try await store.outbox.exchange(
        rows, forDelivered: answered, streams: marks, at: environment.now)
      environment.counters.add(kept.samples, to: .samplesPublished)
      await handOver(zip(kept.rows, rows).map { OutboxRow(id: $0, message: $1) })
    } catch {
      // All of it waits for better times: it has its numbers.
      unkept.putBack(rows)
      deliveries.told(answered, isNoted: false)
      self.marks.takeBack(marks)
      throw error
    }
    for change in disk.committed(at: uptime) { await environment.handlers.connection(change) }
    deliveries.told(answered, isNoted: true)
    // Dropped samples are told once there is room for more of them.
    await tellLosses(isOver: !unkept.isFull)
    // A disk in trouble is looked at again, though nobody has anything to store.
    guard !unkept.waiting.isEmpty || disk.refusal != nil else { return }
    let hasNews = unkept.waiting.contains { !disk.isLow || $0.deliveryClass != .record }
    _ = disk.schedule(at: uptime + (hasNews ? .zero : StoreWatch.retryPause))
  }

  /// Sends what was just written, as far as nothing older waits.
  private func handOver(_ written: [OutboxRow]) async {
    let rows = deliveries.entered(written, isConnected: isConnected, at: uptime)
    let old = rows.filter { unkept.isSuperseded($0.message) }
    if !old.isEmpty { settle(superseded: old) }
    let news = rows.filter { !unkept.isSuperseded($0.message) }
    guard !news.isEmpty else { return }
    deliveries.sent(news)
    await publish(news)
  }

  /// What was said from memory must not be taken back by what is older.
  private func settle(superseded rows: [OutboxRow]) {
    deliveries.settle(rows.map(\.id))
    _ = disk.schedule(at: uptime)
  }

  /// Messages of a replay, which wait on no disk, by their tokens.
  func publish(again messages: [(message: MQTTMessage, token: OutboxRow.ID)]) async {
    for (_, token) in messages { deliveries.sent(token) }
    await environment.broker.publish(messages.map { ($0.message, UInt64(bitPattern: $0.token)) })
  }

  private func publish(_ rows: [OutboxRow]) async {
    await environment.broker.publish(rows.map { ($0.message.message, UInt64(bitPattern: $0.id)) })
  }

  private func refused(_ failure: StoreFailure) async {
    if let change = disk.refused(failure, at: uptime) { await environment.handlers.connection(change) }
    await tellLosses(isOver: false)
    await sayFromMemory()
  }

  /// Hands over what the window and the pace allow. Returns how long to wait when only the pace holds it back.
  private func drain() async throws(StoreFailure) -> Duration? {
    while isConnected, deliveries.window.room > 0, deliveries.hasWaiting {
      let allowance = deliveries.pace.allowance(at: uptime)
      guard allowance > 0 else { return deliveries.pace.wait }
      let limit = min(deliveries.window.room, allowance)
      // Before the look: what comes in meanwhile says so again.
      deliveries.hasWaiting = false
      let rows: [OutboxRow]
      do throws(StoreFailure) {
        rows = try await environment.store.outbox.waiting(limit: limit, excluding: deliveries.away)
      } catch {
        deliveries.hasWaiting = true
        throw error
      }
      if rows.count == limit { deliveries.hasWaiting = true }
      guard !rows.isEmpty, isConnected else { return nil }
      let old = rows.filter { unkept.isSuperseded($0.message) }
      if !old.isEmpty {
        settle(superseded: old)
        deliveries.hasWaiting = true
        continue
      }
      deliveries.sent(rows)
      await publish(rows)
    }
    return nil
  }

  /// Turns the oldest records into told gaps when the outbox is larger or older than it may be.
  func enforce(_ limits: StorageConfiguration) async {
    let time = environment.now
    let losses = OutboxLosses(dialect: environment.dialect, seed: random.next(), time: time)
    do throws(StoreFailure) {
      let dropped = try await environment.store.outbox.enforceLimits(
        maximumSize: Int(clamping: limits.outboxMaximumSize), oldest: time - limits.outboxMaximumAge,
        sparing: deliveries.away
      ) { losses.messages(for: $0) }
      environment.counters.add(dropped.reduce(0) { $0 + $1.samples }, to: .samplesDropped)
      if !dropped.isEmpty { grew() }
    } catch {
      environment.log.error("the outbox cannot be trimmed", metadata: ["reason": "\(error)"])
    }
  }

  /// A new connection. What was under way on the old one without the disk goes again, before all that came after it.
  func connectionOpened(receiveMaximum: Int) {
    deliveries.connectionOpened(receiveMaximum: receiveMaximum, at: uptime)
    if unkept.connectionOpened() { _ = disk.schedule(at: uptime) }
  }

  func acknowledged(_ answers: [Acknowledgement]) async {
    var isOurs = false
    for answer in answers {
      let row = OutboxRow.ID(truncatingIfNeeded: answer.token)
      guard deliveries.answered(row) else { continue }
      isOurs = true
      if row > UnkeptMessages.firstToken {
        unkept.answered(row, isDelivered: answer.failure == nil)
      } else if row < 0 {
        replay.answered(row, isDelivered: answer.failure == nil)
      } else {
        await acknowledged(row, answer.failure)
      }
    }
    guard isOurs else { return }
    await sayFromMemory()
    wake()
    replay.wake()
  }

  private func acknowledged(_ row: OutboxRow.ID, _ failure: BrokerFailure?) async {
    guard let message = deliveries.take(row) else { return }
    let topic = message.topic
    switch failure {
    case nil:
      deliveries.settle([row])
      scheduleCommit(for: message)
    case .refused(let code, let text): await refuse(row, on: topic, "quota", Int(code), text)
    case .notAuthorised(let text): await refuse(row, on: topic, "not-authorised", 0x87, text)
    case .tooLarge: await refuse(row, on: topic, "too-large", 0x95, "larger than the broker takes")
    case .misuse(let text): await refuse(row, on: topic, "too-large", 0x90, text)
    // The connection is going; the row goes again on the next one.
    case .unreachable, .insecure, .unsupportedProtocol, .sessionTakenOver, .connectionLost: break
    }
  }

  /// Parked, counted, told; never lost and never taken for delivered (fault F66).
  private func refuse(
    _ row: OutboxRow.ID, on topic: String, _ kind: String, _ code: Int, _ text: String
  ) async {
    try? await environment.store.outbox.markRefused([row], because: text, at: environment.now)
    environment.log.error(
      "the broker refused a message", metadata: ["topic": "\(topic)", "reason": "\(text)"])
    if let entry = refusals.refused(topic: topic, kind: kind, reasonCode: code, at: uptime) {
      await tell(entry)
    }
  }

  /// Offers again what the broker refused: its reason may be gone, and what is retained there must become true.
  func retryRefused() async {
    for entry in refusals.due(at: uptime) { await tell(entry) }
    guard isConnected else { return }
    do throws(StoreFailure) {
      try await environment.store.outbox.retryRefused(limit: Self.retryLimit)
      grew()
    } catch {
      environment.log.error("refused messages cannot be taken up again", metadata: ["reason": "\(error)"])
    }
  }

  private func tell(_ entry: RefusalDigest.Entry) async {
    await environment.handlers.connection(
      .refused(topic: entry.topic, kind: entry.kind, reasonCode: entry.reasonCode, rows: entry.rows))
  }

  /// Hands replies, state and events over without the disk while it is in trouble.
  private func sayFromMemory() async {
    guard disk.isInTrouble(at: uptime), isConnected, deliveries.window.room > 0 else { return }
    let messages = unkept.takeForBroker(atMost: deliveries.window.room)
    guard !messages.isEmpty else { return }
    for (token, _) in messages { deliveries.sent(token) }
    await environment.broker.publish(messages.map { ($0.message.message, UInt64(bitPattern: $0.token)) })
  }

  /// A batch or a live sample with the number that it bears outside; nil for a batch that there is no room for.
  private func numbered(_ event: FleetEvent) -> FleetEvent? {
    switch event {
    case .batch(let batch) where batch.origin == .stream:
      if unkept.isFull {
        environment.counters.add(batch.count, to: .samplesDropped)
        numbers.drop(batch, because: disk.dropReason)
        return nil
      }
      return numbers.isEmpty ? event : .batch(numbers.number(batch))
    case .live(let sample): return numbers.isEmpty ? event : .live(numbers.number(sample))
    default: return event
    }
  }

  /// Tells what was dropped: as soon as samples are kept again, and twice a minute meanwhile.
  private func tellLosses(isOver: Bool) async {
    let losses = numbers.takeLosses(isOver: isOver, at: uptime)
    guard !losses.isEmpty else { return }
    let time = environment.now
    await deliver(losses.map { .happened($0.happening(at: time, using: &random)) })
    for loss in losses { await environment.handlers.connection(.dropped(loss.board, samples: loss.count)) }
  }
}
