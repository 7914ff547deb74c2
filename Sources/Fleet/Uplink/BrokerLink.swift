import Dialects
import FleetModel
import Logging
import Storage

/// Connecting, staying connected, and what the broker tells. Confined to its uplink.
final class BrokerLink {
  private let environment: UplinkEnvironment
  private let outbox: Outbox
  private var random: SeededGenerator
  private var connection: BrokerConnection?
  private var plan: ConnectionPlan
  /// The number of the connection that is, or of the attempt to have one.
  private(set) var birth = 0
  /// What the broker made of our birth on this connection.
  private var birthState = BirthState.unseen
  private let subscriptions: BrokerSubscriptions
  private var lost: (since: Timestamp, uptime: Duration, failure: BrokerFailure)?
  /// While what the broker retains is being looked at.
  private var look: RetainedLook?
  /// Whether another look is wanted behind that one.
  private var isLookDue = false
  /// Whether a gateway is online under a name that we had: it may be ourselves, until the broker notices.
  private var isFormerNameInUse = false
  /// Asking whose boards are.
  let owners: OwnerInquiries
  /// Hears what others do to our documents.
  let repair: RetainedRepair
  private let waker = TaskWaker()

  private enum BirthState {
    /// It has not come back.
    case unseen
    /// Nor will it.
    case refused
    case seen
  }

  /// Of the birth's acknowledgement; no row has it.
  private static let birthToken = UInt64(bitPattern: Int64.min)

  init(_ environment: UplinkEnvironment, outbox: Outbox, seed: UInt64) {
    (self.environment, self.outbox) = (environment, outbox)
    subscriptions = BrokerSubscriptions(environment)
    plan = ConnectionPlan(environment.configuration)
    random = SeededGenerator(seed: seed)
    repair = RetainedRepair(environment, outbox: outbox)
    owners = OwnerInquiries(environment, repair: repair)
  }

  var isConnected: Bool { connection != nil }
  /// Why there is no connection, in a sentence; nil where there is one, or none was tried yet.
  var trouble: String? { lost.map { "\($0.failure)" } }
  /// When the certificate that the broker showed expires.
  var brokerCertificate: Timestamp? { connection?.certificateExpires }
  /// What the connection is made of.
  var configuration: UplinkConfiguration { plan.configuration }
  private var isStopping: Bool { outbox.isStopping }

  /// Connects again and again until cancelled.
  func keepConnected() async -> StoreFailure? {
    var isBirthUsed = true
    while !Task.isCancelled, !isStopping {
      do throws(StoreFailure) { if isBirthUsed { birth = try await environment.store.births.next() } } catch {
        if error.isFinal { return error }
        // The broker must hear of us although the disk refuses; a number that grows with time was never used before.
        birth = max(birth + 1, Int(environment.now.milliseconds / 1_000))
        outbox.keep(birth: birth)
        environment.log.error(
          "the number of the broker connection cannot be stored",
          metadata: ["reason": "\(error)", "birth": "\(birth)"])
      }
      plan.began()
      do throws(BrokerFailure) {
        let opened = try await environment.broker.connect(
          will: environment.dialect.will(birth: birth), protocolVersion: plan.version)
        plan.opened()
        isBirthUsed = true
        try await greet(opened)
        await stayConnected()
      } catch {
        // One number per connection: an attempt that reached nobody leaves its own to the next.
        if case .unreachable = error { isBirthUsed = false } else { isBirthUsed = true }
        await failed(because: error)
      }
      await pause()
    }
    return nil
  }

  /// The attempt failed, or the connection before it was of any use.
  private func failed(because failure: BrokerFailure) async {
    let version = plan.version
    // What is of no use ends now, not with the next attempt; whoever has heard of it hears its will.
    if plan.isOpen, connection == nil { await environment.broker.disconnect(within: .zero) }
    closed()
    guard plan.isUnderWay else { return }
    plan.ended(because: failure, at: environment.uptime)
    if plan.version != version {
      return environment.log.warning(
        "the broker does not support MQTT 5; using 3.1.1, without reason codes")
    }
    guard !plan.isRenewal else { return }
    let isDifferent = lost?.failure != failure
    noteLoss(failure)
    if failure == .sessionTakenOver {
      await environment.handlers.connection(.lost(reason: failure.description, isTakenOver: true))
    }
    if isDifferent || plan.failures % 10 == 0 {
      environment.log.warning(
        "cannot connect to the broker", metadata: ["reason": "\(failure)", "attempts": "\(plan.failures)"])
    }
    await noteTakeover()
  }

  /// Until the next attempt is due, or wanted.
  private func pause() async {
    let due = environment.uptime + plan.pause(jitter: random.fraction())
    while environment.uptime < due, !plan.isRenewal, !Task.isCancelled, !isStopping {
      await waker.sleep(atMost: due - environment.uptime, by: environment.timekeeper)
    }
  }

  /// Ends the connection in order and makes another one at once: with what is different in `new`, or, where that is as
  /// it was, with what files hold by now.
  func renew(_ new: UplinkConfiguration, because reason: String) async {
    plan.renew(new)
    environment.log.notice("connecting to the broker anew", metadata: ["reason": "\(reason)"])
    let wasConnected = isConnected
    closed()
    if wasConnected {
      // It may be another broker that hears of us next: here nobody would say any more that we are gone.
      await environment.broker.publish([(environment.dialect.will(birth: birth), 0)])
    }
    await environment.broker.disconnect(within: wasConnected ? BrokerLimits.renewalTime : .zero)
    waker.wake()
  }

  private func noteTakeover() async {
    guard plan.isTakeoverSuspected else { return }
    let sentence = plan.suspicion(of: environment.gateway)
    environment.log.error("\(sentence)")
    await environment.handlers.connection(.lost(reason: sentence, isTakenOver: true))
  }

  /// Until the connection ends. A birth that does not come back may have been refused: the late will would stand there
  /// for good (fault F69). A broker that does not let us read it hears it again less and less often.
  private func stayConnected() async {
    var timeout = BrokerLimits.birthTimeout
    while connection != nil, !Task.isCancelled {
      // Over MQTT 3.1.1 nobody hears others without hearing himself.
      let regular = connection?.protocolVersion == .mqtt311 ? BrokerLimits.lookPause : nil
      let pause = isFormerNameInUse ? BrokerLimits.formerNamePause : regular
      let isSeen = birthState == .seen
      let limit = isSeen ? pause : timeout
      let due = limit.map { environment.uptime + $0 }
      await waker.sleep(atMost: limit, by: environment.timekeeper)
      guard connection != nil, !isStopping, let due, environment.uptime >= due else { continue }
      guard birthState != .seen else {
        if isSeen { await lookAtRetained() }
        continue
      }
      timeout = min(timeout * 2, BrokerLimits.longestBirthTimeout)
      await announce("reconnected")
    }
  }

  /// First words on a new connection: subscriptions, birth, then whatever of the retained documents is not as it
  /// should be.
  private func greet(_ opened: BrokerConnection) async throws(BrokerFailure) {
    let look = beginLook()
    birthState = .unseen
    outbox.connectionOpened(
      receiveMaximum: opened.receiveMaximum, largestPacket: opened.maximumPacketSize)
    try await subscriptions.hear(environment.dialect.subscriptions)
    try await subscriptions.hearHomeAssistant(outbox.discovery.places.subscriptions)
    (connection, outbox.isConnected) = (opened, true)
    let reason = plan.isFirst ? "started" : "reconnected"
    plan.subscribed(at: environment.uptime)
    await announce(reason)
    environment.log.info(
      "connected to the broker",
      metadata: ["protocol": "\(opened.protocolVersion.rawValue)", "birth": "\(birth)"])
    let outage = lost.map { environment.uptime - $0.uptime }
    await environment.handlers.connection(
      .connected(
        mqttProtocol: opened.protocolVersion.rawValue, lostAt: lost?.since, outage: outage,
        reason: lost?.failure.description))
    lost = nil
    await outbox.replay.resume(through: outbox)
    let documents = try await auditRetained(look, isFirst: true)
    guard connection != nil else { return }
    repair.opened(opened, knowing: documents)
    outbox.wake()
    if isLookDue { await lookAtRetained() }
  }

  /// The same on a connection that is; without one the next begins with it. Whoever asks while a look goes on gets one
  /// more behind it: what the first has seen may be no more by now.
  func lookAtRetained() async {
    guard connection != nil else { return }
    isLookDue = true
    while isLookDue, look == nil, connection != nil {
      isLookDue = false
      let look = beginLook()
      _ = try? await auditRetained(look, isFirst: false)
      if self.look === look { self.look = nil }
    }
  }

  private func beginLook() -> RetainedLook {
    let look = RetainedLook()
    self.look = look
    outbox.retained.beginAudit()
    return look
  }

  /// Compares what the broker retains with what should stand there, and says again what is otherwise. Returns what
  /// should stand there.
  private func auditRetained(_ look: RetainedLook, isFirst: Bool) async throws(BrokerFailure)
    -> [OutgoingMessage]
  {
    let (broker, dialect) = (environment.broker, environment.dialect)
    await outbox.noteWaitingRetained()
    let published = (try? await environment.store.outbox.retainedTopics()) ?? []
    let begun = dialect.earlierDocuments(published: published)
    look.earlier = begun
    let (filters, announcements) = (
      dialect.retainedFilters + begun.filters, outbox.discovery.places.retainedFilters
    )
    try await subscriptions.hear(filters.map { Subscription($0) })
    try await subscriptions.hearHomeAssistant(announcements.map { Subscription($0) })
    do { try await environment.timekeeper.sleep(for: BrokerLimits.retainedTime) } catch { return [] }
    try await broker.unsubscribe(from: filters + announcements)
    repair.lost(filters + announcements)
    guard self.look === look, let left = look.earlier else { return [] }
    look.earlier = nil
    let adapters = left.adapters
    if !adapters.isEmpty { await environment.handlers.connection(.foundAdapters(adapters)) }
    let (events, boards) = await environment.handlers.retainedState()
    guard self.look === look else { return [] }
    self.look = nil
    let seen = look.seen
    let all = events.flatMap { dialect.messages(for: $0) } + outbox.discovery.current
    let ours = all.map { outbox.inFlight.fitted($0, by: dialect) }
    await repair.mend(ours, as: seen, isFirst: isFirst)
    // Which of ours go waits for a confirmation (fault F189): all stay.
    guard let boards else { return ours }
    isFormerNameInUse = !left.namesInUse.isEmpty
    let orphans = seen.orphans(names: left.abandonedIDs.union([environment.gateway]), boards: boards)
    repair.remove(left, orphans: orphans)
    return ours
  }

  /// Another section `homeassistant` of the file: what was announced and no longer holds is removed.
  func change(to configuration: HomeAssistantConfiguration) async {
    guard configuration != outbox.discovery.configuration else { return }
    let before = outbox.discovery.places.subscriptions
    let (events, _) = await environment.handlers.retainedState()
    for message in outbox.discovery.change(to: configuration, events) { outbox.queue(message) }
    let after = outbox.discovery.places.subscriptions
    guard connection != nil, before != after else { return }
    if !before.isEmpty { try? await environment.broker.unsubscribe(from: before.map(\.filter)) }
    // A connection that ends is told by others.
    try? await subscriptions.hearHomeAssistant(after)
  }

  /// Home Assistant begins: it has read the documents by now, and shows what was measured last.
  private func welcomeHomeAssistant() async {
    let values = outbox.discovery.lastValues
    if !values.isEmpty { await environment.broker.publish(values.map { ($0, 0) }) }
  }

  private func noteLoss(_ failure: BrokerFailure) {
    if lost == nil { lost = (environment.now, environment.uptime, failure) } else { lost?.failure = failure }
  }

  /// Takes what the broker tells.
  func listen() async -> StoreFailure? {
    for await event in environment.broker.events {
      switch event {
      case .message(let message): await received(message)
      case .acknowledged(let answers):
        await noteAcknowledgements(answers)
        await outbox.acknowledged(answers)
      case .disconnected(let failure):
        // What we ended ourselves is over; by now there may be another one.
        let isOurDoing = failure == .closedOnRequest || failure == .replaced
        guard connection != nil, !isOurDoing || isStopping else { break }
        closed()
        plan.ended(because: failure, at: environment.uptime)
        noteLoss(failure)
        if !isStopping {
          environment.log.warning("connection to the broker lost", metadata: ["reason": "\(failure)"])
          await environment.handlers.connection(
            .lost(reason: failure.description, isTakenOver: failure == .sessionTakenOver))
          await noteTakeover()
        }
        waker.wake()
      }
    }
    return nil
  }

  private func received(_ message: MQTTMessage) async {
    repair.saw(message)
    if outbox.discovery.places.isBirth(message) { return await welcomeHomeAssistant() }
    if let board = outbox.discovery.places.board(of: message.topic) {
      guard message.isRetained, let owner = outbox.discovery.owner(in: message.payload, of: board) else {
        return
      }
      look?.seen.saw(board, topic: message.topic, payload: message.payload, owner: owner)
      return
    }
    let time = environment.now
    if message.isRetained {
      look?.seen.saw(topic: message.topic, payload: message.payload)
      look?.earlier?.saw(message.topic, message.payload)
    }
    let meaning = environment.dialect.read(message, arrived: time) {
      ULID(at: time, using: &random).description
    }
    switch meaning {
    case .command(let target, let verb, let command):
      if message.isRetained, !message.payload.isEmpty { await clearRetained(message.topic) }
      await environment.handlers.command(target, verb, command)
    case .boardDocument(let board, let topic, let payload, let isRetained):
      guard isRetained else { break }
      look?.seen.saw(board, topic: topic, payload: payload)
      owners.queries.saw(board, owner: DocumentOwner.gateway(in: payload))
    case .ownAvailability(let isOnline, let seen):
      guard connection != nil, !isStopping else { return }
      if isOnline, seen == birth {
        birthState = .seen
        return
      }
      // What stood there before our birth is history. A late will of an earlier connection, or somebody's mistake,
      // comes after it: what stands there must be this birth (fault F69).
      guard birthState == .seen else { return }
      environment.log.notice(
        "publishing availability again", metadata: ["seen_birth": "\(seen ?? -1)", "birth": "\(birth)"])
      await announce("reconnected")
    case .otherGateway(let id): owners.queries.saw(gateway: id)
    case .unknown: break
    }
  }

  private func announce(_ reason: String) async {
    let birth = environment.dialect.birth(birth, at: environment.now, reason: reason)
    await environment.broker.publish([(birth.message, Self.birthToken)])
  }

  /// A broker that takes something works. A birth that it does not take is named once for each connection.
  private func noteAcknowledgements(_ answers: [Acknowledgement]) async {
    if answers.contains(where: { $0.failure == nil }) { plan.acknowledged(at: environment.uptime) }
    for answer in answers where answer.token == Self.birthToken {
      let topic = environment.dialect.will(birth: birth).topic
      guard birthState == .unseen, let failure = answer.failure,
        let refusal = RefusedRow(0, on: topic, because: failure)
      else { continue }
      birthState = .refused
      environment.log.error(
        "the broker refuses to say that this gateway is online",
        metadata: ["topic": "\(topic)", "reason": "\(failure)"])
      await environment.handlers.connection(
        .refused(topic: topic, kind: refusal.kind, reasonCode: refusal.reasonCode, rows: 1))
    }
  }

  private func closed() {
    (connection, outbox.isConnected) = (nil, false)
    (look, isLookDue) = (nil, false)
    repair.closed()
    outbox.wake()
  }

  /// A retained request would come again at every connect.
  private func clearRetained(_ topic: String) async {
    await environment.broker.publish([(MQTTMessage(topic: topic, payload: [], isRetained: true), 0)])
  }
}
