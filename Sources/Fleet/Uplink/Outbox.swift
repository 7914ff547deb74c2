import Dialects
import FleetModel
import Logging
import Storage

/// What goes to the broker but live samples: through the disk, and from memory while that refuses. Confined to its
/// uplink.
final class Outbox {
  /// Of live samples, which are in no outbox: only what became of those that could not go is ever said.
  private static let liveToken = UInt64(bitPattern: Int64.min + 1)

  private let environment: UplinkEnvironment
  private var random: SeededGenerator
  var isConnected = false {
    didSet { if !isConnected { inFlight.next.forget() } }
  }
  private(set) var isStopping = false
  private var unpersisted = UnpersistedMessages()
  private var disk = CommitSchedule()
  private(set) var inFlight: InFlightMessages
  private let refused: RefusedMessages
  /// What this gateway said last on its retained topics.
  var retained = RetainedWatch()
  /// Batches' numbers, where some were dropped here.
  private var numbers = BatchNumbering()
  /// Sessions that the disk does not know to have begun, or to be over.
  private var marks = StreamCheckpoints()
  let replay: Replay
  /// What boards announce to Home Assistant.
  var discovery: HomeAssistantDiscovery
  private let waker = TaskWaker()
  /// Woken after every round of a gateway that stops.
  private let roundEnded = TaskWaker()

  init(
    _ environment: UplinkEnvironment, limits: StorageConfiguration, discovery: HomeAssistantDiscovery,
    seed: UInt64
  ) {
    (self.environment, self.discovery) = (environment, discovery)
    replay = Replay(environment)
    refused = RefusedMessages(environment)
    random = SeededGenerator(seed: seed)
    inFlight = InFlightMessages(
      pace: BacklogRateLimit(perSecond: limits.drainPerSecond, at: environment.uptime))
    unpersisted.kept.choice = limits.streams
  }

  private var uptime: Duration { environment.uptime }

  /// Whether everything that came is on the disk.
  private var isKept: Bool {
    unpersisted.waiting.isEmpty && unpersisted.kept.isEmpty && marks.isEmpty && !disk.isCommitting
  }

  /// Takes what happened. Never waits for the network or the disk.
  func deliver(_ events: [FleetEvent]) async {
    let passing = take(events)
    if isConnected, !passing.isEmpty { await environment.broker.publish(passing) }
    await sayFromMemory()
  }

  /// Queues what is to be kept and returns the rest. Not part of `deliver`: what that needs of the stack, every task
  /// that has ever delivered something keeps, and a board has several.
  @inline(never)
  private func take(_ events: [FleetEvent]) -> [(message: MQTTMessage, token: UInt64)] {
    var passing: [(message: MQTTMessage, token: UInt64)] = []
    let ended = events.compactMap(\.endedSession)
    for event in events {
      guard let event = numbered(event) else { continue }
      if case .stream(let mark) = event { note(mark) }
      if case .batch(let batch) = event { unpersisted.kept.keep(batch, at: uptime) }
      let messages = environment.dialect.messages(for: event)
      environment.published { messages }
      for outgoing in messages {
        if outgoing.deliveryClass == nil {
          passing.append((outgoing.message, Self.liveToken))
          if case .live(let sample) = event { discovery.saw(outgoing.message, of: sample.board) }
        } else {
          queue(outgoing, of: event, closing: ended)
        }
      }
      for announcement in discovery.messages(for: event) { queue(announcement) }
    }
    return passing
  }

  /// Queues a message for the next commit, which notes how far that takes streams.
  func queue(_ outgoing: OutgoingMessage, of event: FleetEvent? = nil, closing ended: [ULID] = []) {
    let outgoing = inFlight.fitted(outgoing, by: environment.dialect)
    let made = OutboxMessage(outgoing, of: event, closing: ended, created: environment.now)
    guard let row = made else { return }
    retained.says(row.message)
    unpersisted.keep(row)
    scheduleCommit(for: row)
  }

  /// Something went into the outbox without us. So many rows of it are new, which no backlog holds up.
  func grew(by rows: Int = 0) {
    inFlight.entered(rows)
    wake()
  }

  /// Something changed that the next round has to know.
  func wake() { waker.wake() }

  /// Takes to the disk what waits in memory and empties the outbox, as far as that comes to an end before `deadline`,
  /// on the clock of `uptime`.
  func finish(before deadline: Duration) async {
    isStopping = true
    if !unpersisted.kept.isEmpty { scheduleCommit(within: .zero) }
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

  /// A backlog goes at so many messages a second from now on, and these streams are kept.
  func change(to limits: StorageConfiguration) {
    inFlight.pace.change(perSecond: limits.drainPerSecond)
    unpersisted.kept.choice = limits.streams
  }

  /// The birth of a connection whose number the disk refused.
  func keep(birth: Int) { unpersisted.birth = birth }

  /// Takes note of what is on its way to the broker: when that is asked what it retains, it is no news there. What it
  /// has had before is not, though the disk could not note that: the broker may have lost it since.
  func noteWaitingRetained() async {
    let rows = (try? await environment.store.outbox.waitingRetainedTopics()) ?? []
    let waiting = rows.filter { !inFlight.hasArrived($0.id) && !unpersisted.isSuperseded($0.topic) }
    retained.isWaiting(on: unpersisted.retainedTopics)
    retained.isWaiting(on: waiting.map(\.topic))
  }

  /// Takes note of a session of a stream that began or is over, with the next commit.
  private func note(_ mark: StreamCheckpoint) {
    marks.note(mark)
    if case .ended(let session) = mark { unpersisted.kept.end(session) }
    scheduleCommit(within: CommitSchedule.span)
  }

  /// Commits at once what was queued or acknowledged: after a crash, an acknowledgement that was not committed means
  /// that the message is sent again. Records wait, so that many share one commit, until they are many.
  private func scheduleCommit(for message: OutboxMessage) {
    let waiting = unpersisted.waiting.count + inFlight.acknowledged.count
    scheduleCommit(within: message.deliveryClass == .record ? disk.span(sharedBy: waiting) : .zero)
  }

  private func scheduleCommit(within span: Duration) { if disk.schedule(at: uptime + span) { wake() } }

  /// Commits what waits, hands over what may go, until cancelled.
  func run() async -> StoreFailure? {
    while !Task.isCancelled {
      var pause: Duration?
      do throws(StoreFailure) {
        if disk.isDue(at: uptime, isHurried: isStopping) { try await commit() }
      } catch {
        if error.isFinal { return error }
        await storeRefused(error)
      }
      // What is on the disk goes out, whether or not the disk takes more.
      do throws(StoreFailure) { pause = try await drain() } catch {
        if error.isFinal { return error }
        await storeRefused(error)
        pause = CommitSchedule.retryPause
      }
      if isStopping { roundEnded.wake() }
      let due = disk.wait(at: uptime)
      await waker.sleep(atMost: [pause, due].compactMap(\.self).min(), by: environment.timekeeper)
    }
    return nil
  }

  /// Takes what waits to the disk, and notes there what the broker has: one transaction, one wait for the disk.
  private func commit() async throws(StoreFailure) {
    disk.asked(at: uptime)
    defer { disk.answered() }
    if let change = disk.checked(try await environment.store.room) {
      await environment.handlers.connection(change)
    }
    let rows = unpersisted.take(piece: disk.room.piece, isLow: disk.isLow)
    let answered = inFlight.takeAcknowledged()
    let unrecorded = unpersisted.takeUnrecorded()
    let samples = unpersisted.kept.take(at: uptime, isLow: disk.isLow, isLast: isStopping)
    environment.counters.add(unpersisted.kept.takeDropped(), to: .keptDropped)
    let marks = marks.take(sparing: unpersisted.openSessions)
    let began = uptime
    disk.commitBegan()
    do throws(StoreFailure) {
      if let birth = unpersisted.birth {
        try await environment.store.births.keep(birth)
        if unpersisted.birth == birth { unpersisted.birth = nil }
      }
      // Nothing to write proves nothing.
      if disk.refusal != nil, rows.isEmpty, answered.isEmpty { try await environment.store.probe() }
      let kept = try await environment.store.outbox.exchange(
        rows, forDelivered: answered, streams: marks, recording: unrecorded, keeping: samples,
        at: environment.now)
      environment.counters.distributions.note(uptime - began, in: .commitTime)
      environment.counters.add(kept.samples, to: .samplesPublished)
      inFlight.entered(zip(kept.rows, rows).map { OutboxRow(id: $0, message: $1) })
    } catch {
      // All of it waits for better times: it has its numbers.
      unpersisted.putBack(rows)
      unpersisted.putBack(unrecorded: unrecorded)
      unpersisted.kept.putBack(samples, after: error)
      inFlight.stored(answered, isStored: false)
      self.marks.takeBack(marks)
      throw error
    }
    for change in disk.committed(at: uptime) { await environment.handlers.connection(change) }
    inFlight.stored(answered, isStored: true)
    // Dropped samples are published once there is room for more of them.
    await publishLosses(isOver: !unpersisted.isFull)
    // A disk in trouble is looked at again, though nobody has anything to store.
    guard !unpersisted.waiting.isEmpty || disk.refusal != nil else { return }
    let canSend = unpersisted.waiting.contains { !disk.isLow || $0.deliveryClass != .record }
    _ = disk.schedule(at: uptime + (canSend ? .zero : CommitSchedule.retryPause))
  }

  /// Sends rows of the disk; what was said from memory must not be taken back by what is older.
  private func send(_ rows: [OutboxRow]) async {
    let (current, old) = unpersisted.split(rows)
    if !old.isEmpty {
      inFlight.acknowledge(old.map(\.id))
      _ = disk.schedule(at: uptime)
    }
    guard !current.isEmpty else { return }
    inFlight.sent(current)
    await environment.broker.publish(current.map { ($0.message.message, UInt64(bitPattern: $0.id)) })
  }

  /// Messages that are no rows of the outbox, by their tokens: from memory, or of a replay.
  func publish(_ messages: [(message: MQTTMessage, token: OutboxRow.ID)]) async {
    for (_, token) in messages { inFlight.sent(token) }
    await environment.broker.publish(messages.map { ($0.message, UInt64(bitPattern: $0.token)) })
  }

  private func storeRefused(_ failure: StoreFailure) async {
    if let change = disk.refused(failure, at: uptime) { await environment.handlers.connection(change) }
    await publishLosses(isOver: false)
    await sayFromMemory()
  }

  /// Hands over what the window and the pace allow. Returns how long to wait when only the pace holds it back.
  private func drain() async throws(StoreFailure) -> Duration? {
    while isConnected, inFlight.window.room > 0, inFlight.hasWaiting {
      guard inFlight.allowance(at: uptime) > 0 else { return inFlight.pace.wait }
      if inFlight.next.isEmpty {
        let look = inFlight.next.look
        disk.asked(at: uptime)
        defer { disk.answered() }
        let rows = try await environment.store.outbox.waiting(
          limit: NextMessages.piece, excluding: inFlight.away)
        inFlight.next.read(rows, of: NextMessages.piece, look: look)
      }
      guard await sendNext() else { return nil }
    }
    return nil
  }

  /// Hands over what is in memory already, also while a commit is under way. False where others do so now.
  @discardableResult
  private func sendNext() async -> Bool {
    guard inFlight.beginSending() else { return false }
    while isConnected, case let count = inFlight.allowance(at: uptime), count > 0, !inFlight.next.isEmpty {
      await send(inFlight.next.take(atMost: count))
    }
    inFlight.endSending()
    return true
  }

  /// Turns the oldest records into declared gaps while the outbox is larger or older than it may be: a piece at a time,
  /// so that the store is not kept from others, until it is not.
  func enforce(_ limits: StorageConfiguration, at time: Timestamp) async {
    do throws(StoreFailure) {
      while try await trim(limits, at: time), !Task.isCancelled {}
    } catch {
      environment.log.error("the outbox cannot be trimmed", metadata: ["reason": "\(error)"])
    }
  }

  /// Returns whether more may have to go. What tells of it takes room, too, which goes with the next round; so as long
  /// as nobody hears it, it is noted alone, one sum a topic.
  private func trim(_ limits: StorageConfiguration, at time: Timestamp) async throws(StoreFailure) -> Bool {
    let overflow = OutboxOverflow(dialect: environment.dialect, seed: random.next(), time: environment.now)
    let isHeard = isConnected
    inFlight.next.forget()
    let dropped = try await environment.store.outbox.enforceLimits(
      maximumSize: Int(clamping: limits.outboxMaximumSize), oldest: time - limits.outboxMaximumAge,
      sparing: inFlight.away, event: isHeard ? overflow.messages : nil)
    environment.counters.add(dropped.reduce(0) { $0 + $1.samples }, to: .samplesDropped)
    if isHeard { grew() }
    return dropped.reduce(0) { $0 + $1.messages } >= OutboxStore.mostDropped
  }

  /// A new connection. What was under way on the old one without the disk goes again, before all that came after it.
  func connectionOpened(receiveMaximum: Int, largestPacket: Int?) {
    inFlight.connectionOpened(receiveMaximum: receiveMaximum, largestPacket: largestPacket, at: uptime)
    if unpersisted.connectionOpened() { _ = disk.schedule(at: uptime) }
  }

  func acknowledged(_ answers: [Acknowledgement]) async {
    var isOurs = false
    var refusals: [RefusedRow] = []
    for answer in answers {
      if answer.token == Self.liveToken {
        if answer.failure?.isOfOneRequest == true { environment.counters.add(to: .liveDropped) }
        continue
      }
      let row = OutboxRow.ID(truncatingIfNeeded: answer.token)
      guard inFlight.answered(row) else { continue }
      isOurs = true
      if row > UnpersistedMessages.firstToken {
        unpersisted.answered(row, isDelivered: answer.failure == nil)
        if unpersisted.hasUnrecorded { scheduleCommit(within: CommitSchedule.span) }
      } else if row < 0 {
        replay.answered(row, isDelivered: answer.failure == nil)
      } else if let refusal = await acknowledged(row, answer.failure) {
        refusals.append(refusal)
      }
    }
    if !refusals.isEmpty { inFlight.setAside(await refused.park(refusals)) }
    guard isOurs else { return }
    await sayFromMemory()
    await sendNext()
    wake()
    replay.wake()
  }

  /// Returns what the broker will not have; a row whose connection is going goes again on the next one.
  private func acknowledged(_ row: OutboxRow.ID, _ failure: BrokerFailure?) async -> RefusedRow? {
    guard let message = inFlight.take(row) else { return nil }
    if let failure {
      // One that was written before the broker said how much it takes: the shorter one takes its place.
      let outgoing = OutgoingMessage(message.message, message.deliveryClass)
      if failure == .tooLarge, retained.isLatest(message.message),
        case let short = inFlight.fitted(outgoing, by: environment.dialect),
        short != outgoing
      {
        inFlight.setAside([row])
        queue(short)
        return nil
      }
      return RefusedRow(row, on: message.topic, because: failure)
    }
    if let age = message.sampleAge(at: environment.now) {
      environment.counters.distributions.note(age, times: message.samples, in: .sampleAge)
    }
    inFlight.acknowledge([row])
    scheduleCommit(for: message)
    await refused.delivered(to: message.topic)
    return nil
  }

  /// Offers again what the broker refused: its reason may be gone, and what is retained there must become true.
  func retryRefused() async {
    let isSetAside = inFlight.offerAgain()
    if await refused.retry(isConnected: isConnected, isSetAside: isSetAside) || isSetAside { grew() }
  }

  /// Hands replies, state and events over without the disk while it is in trouble.
  private func sayFromMemory() async {
    let room = inFlight.window.room
    guard room > 0, isConnected, disk.isInTrouble(at: uptime) else { return }
    let messages = unpersisted.takeForBroker(atMost: room)
    if !messages.isEmpty { await publish(messages.map { ($0.message.message, $0.token) }) }
  }

  /// A batch or a live sample with the number that it bears outside; nil for a batch that there is no room for.
  private func numbered(_ event: FleetEvent) -> FleetEvent? {
    switch event {
    case .batch(let batch) where batch.origin == .stream:
      guard unpersisted.isFull else { return numbers.isEmpty ? event : .batch(numbers.number(batch)) }
      environment.counters.add(batch.count, to: .samplesDropped)
      numbers.drop(batch, because: disk.dropReason)
      return nil
    case .live(let sample): return numbers.isEmpty ? event : .live(numbers.number(sample))
    default: return event
    }
  }

  /// Publishes what was dropped: as soon as samples are kept again, and twice a minute meanwhile. Not where nobody
  /// hears it: each word of it would wait, and take the room of what is to be kept.
  private func publishLosses(isOver: Bool) async {
    guard isOver || isConnected else { return }
    let losses = numbers.takeLosses(isOver: isOver, at: uptime)
    guard !losses.isEmpty else { return }
    await deliver(losses.map { .happened($0.event(at: environment.now, using: &random)) })
    for loss in losses { await environment.handlers.connection(.dropped(loss.board, samples: loss.count)) }
  }
}
