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
    didSet { if isConnected { diskWaker.wake() } else { inFlight.next.forget() } }
  }
  private(set) var isStopping = false
  private let commits: OutboxCommits
  private(set) var inFlight: InFlightMessages
  private let refused: RefusedMessages
  /// What this gateway said last on its retained topics.
  var retained = RetainedWatch()
  /// Batches' numbers, where some were dropped here.
  private var numbers = BatchNumbering()
  let replay: Replay
  /// What boards announce to Home Assistant.
  var discovery: HomeAssistantDiscovery
  private let waker = TaskWaker()
  /// Woken when the disk is asked for something.
  private let diskWaker = TaskWaker()
  /// Woken after every round of a gateway that stops.
  private let roundEnded = TaskWaker()

  init(
    _ environment: UplinkEnvironment, limits: StorageConfiguration, discovery: HomeAssistantDiscovery,
    seed: UInt64
  ) {
    (self.environment, self.discovery) = (environment, discovery)
    commits = OutboxCommits(environment)
    replay = Replay(environment)
    refused = RefusedMessages(environment)
    random = SeededGenerator(seed: seed)
    inFlight = InFlightMessages(
      pace: BacklogRateLimit(perSecond: limits.drainPerSecond, at: environment.uptime))
    commits.unpersisted.kept.choice = limits.streams
  }

  private var uptime: Duration { environment.uptime }

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
      if case .batch(let batch) = event { commits.unpersisted.kept.keep(batch, at: uptime) }
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
    commits.unpersisted.keep(row)
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
    if !commits.unpersisted.kept.isEmpty { scheduleCommit(within: .zero) }
    wake()
    replay.wake()
    while uptime < deadline, !Task.isCancelled, await !isFinished {
      await roundEnded.sleep(atMost: deadline - uptime, by: environment.timekeeper)
    }
  }

  private var isFinished: Bool {
    get async {
      guard commits.isKept, isConnected else { return commits.isKept }
      return (try? await environment.store.outbox.statistics().waiting.messages) ?? 0 == 0
    }
  }

  /// A backlog goes at so many messages a second from now on, and these streams are kept.
  func change(to limits: StorageConfiguration) {
    inFlight.pace.change(perSecond: limits.drainPerSecond)
    commits.unpersisted.kept.choice = limits.streams
  }

  /// The birth of a connection whose number the disk refused.
  func keep(birth: Int) { commits.unpersisted.birth = birth }

  /// Takes note of what is on its way to the broker: when that is asked what it retains, it is no news there. What it
  /// has had before is not, though the disk could not note that: the broker may have lost it since.
  func noteWaitingRetained() async {
    let rows = (try? await environment.store.outbox.waitingRetainedTopics()) ?? []
    let unpersisted = commits.unpersisted
    let waiting = rows.filter { !inFlight.hasArrived($0.id) && !unpersisted.isSuperseded($0.topic) }
    retained.isWaiting(on: unpersisted.retainedTopics)
    retained.isWaiting(on: waiting.map(\.topic))
  }

  /// Takes note of a session of a stream that began or is over, with the next commit.
  private func note(_ mark: StreamCheckpoint) {
    commits.note(mark)
    scheduleCommit(within: CommitSchedule.span)
  }

  /// Commits at once what was queued or acknowledged: after a crash, an acknowledgement that was not committed means
  /// that the message is sent again. Records wait, so that many share one commit, until they are many.
  private func scheduleCommit(for message: OutboxMessage) {
    let waiting = commits.unpersisted.waiting.count + inFlight.acknowledged.count
    let span = commits.disk.span(sharedBy: waiting)
    scheduleCommit(within: message.deliveryClass == .record ? span : .zero)
  }

  private func scheduleCommit(within span: Duration) { if commits.schedule(within: span) { wake() } }

  /// Commits what waits, hands over what may go, until cancelled.
  func run() async -> StoreFailure? {
    while !Task.isCancelled {
      var pause: Duration?
      do throws(StoreFailure) {
        if commits.disk.isDue(at: uptime, isHurried: isStopping) { try await commit() }
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
      let due = commits.disk.wait(at: uptime)
      await waker.sleep(atMost: [pause, due].compactMap(\.self).min(), by: environment.timekeeper)
    }
    return nil
  }

  /// Says what waits for a disk that takes its time, though nothing else happens, until cancelled.
  func watchDisk() async {
    while !Task.isCancelled {
      await diskWaker.sleep(atMost: commits.disk.untilTrouble(at: uptime), by: environment.timekeeper)
      await sayFromMemory()
    }
  }

  /// Takes what waits to the disk, and notes there what the broker has.
  private func commit() async throws(StoreFailure) {
    diskWaker.wake()
    try await commits.look()
    let answered = inFlight.takeAcknowledged()
    let done: OutboxCommits.Committed
    do throws(StoreFailure) { done = try await commits.commit(answered, isLast: isStopping) } catch {
      inFlight.stored(answered, isStored: false)
      throw error
    }
    inFlight.entered(done.waiting)
    inFlight.stored(answered, isStored: true)
    inFlight.acknowledge(done.said)
    if !done.said.isEmpty { scheduleCommit(within: CommitSchedule.span) }
    for change in done.changes { await environment.handlers.connection(change) }
    // Dropped samples are published once there is room for more of them.
    await publishLosses(isOver: !commits.unpersisted.isFull)
    commits.scheduleRest()
  }

  /// Sends rows of the disk; what was said from memory must not be taken back by what is older.
  private func send(_ rows: [OutboxRow]) async {
    let (current, old) = commits.unpersisted.split(rows)
    if !old.isEmpty {
      inFlight.acknowledge(old.map(\.id))
      _ = commits.schedule(within: .zero)
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
    await commits.refused(failure)
    await publishLosses(isOver: false)
    await sayFromMemory()
  }

  /// Hands over what the window and the pace allow. Returns how long to wait when only the pace holds it back.
  private func drain() async throws(StoreFailure) -> Duration? {
    while isConnected, inFlight.window.room > 0, inFlight.hasWaiting {
      guard inFlight.allowance(at: uptime) > 0 else { return inFlight.pace.wait }
      if inFlight.next.isEmpty {
        let look = inFlight.next.look
        diskWaker.wake()
        let rows = try await commits.waitingRows(limit: NextMessages.piece, excluding: inFlight.away)
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
    if commits.unpersisted.connectionOpened() { _ = commits.schedule(within: .zero) }
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
        commits.unpersisted.answered(row, isDelivered: answer.failure == nil)
        if commits.unpersisted.hasUnrecorded { scheduleCommit(within: CommitSchedule.span) }
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
    guard room > 0, isConnected, commits.disk.isInTrouble(at: uptime) else { return }
    let messages = commits.unpersisted.takeForBroker(atMost: room)
    if !messages.isEmpty { await publish(messages.map { ($0.message.message, $0.token) }) }
  }

  /// A batch or a live sample with the number that it bears outside; nil for a batch that there is no room for.
  private func numbered(_ event: FleetEvent) -> FleetEvent? {
    switch event {
    case .batch(let batch) where batch.origin == .stream:
      guard commits.unpersisted.isFull else { return numbers.isEmpty ? event : .batch(numbers.number(batch)) }
      environment.counters.add(batch.count, to: .samplesDropped)
      numbers.drop(batch, because: commits.disk.dropReason)
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
