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
  /// The number of the connection that is, or of the attempt to have one.
  private(set) var birth = 0
  /// Whether the broker has sent us our own birth on this connection.
  private var isBirthSeen = false
  private var isFirstConnection = true
  private var lost: (since: Timestamp, uptime: Duration, failure: BrokerFailure)?
  private var audit: RetainedReconciler?
  /// What earlier runs left, while it is being looked at.
  private var earlier: EarlierDocuments?
  /// Whether a gateway is online under a name that we had: it may be ourselves, until the broker notices.
  private var isFormerNameInUse = false
  private var queries = OwnerQueries()
  private let waker = TaskWaker()

  init(_ environment: UplinkEnvironment, outbox: Outbox, seed: UInt64) {
    (self.environment, self.outbox) = (environment, outbox)
    random = SeededGenerator(seed: seed)
  }

  var isConnected: Bool { connection != nil }
  private var isStopping: Bool { outbox.isStopping }

  /// Wait before the next attempt: 1 s doubling to 60 s, with jitter, for ever (fault F61).
  static func reconnectDelay(afterFailures failures: Int, jitter: Double) -> Duration {
    let base = min(Double(1 << min(max(failures - 1, 0), 6)), 60)
    return .milliseconds(Int64(base * (0.5 + 0.5 * jitter) * 1000))
  }

  /// Connects again and again until cancelled.
  func keepConnected() async -> StoreFailure? {
    var failures = 0
    var isBirthUsed = true
    var version: BrokerConnection.ProtocolVersion =
      environment.configuration.protocolChoice == .mqtt311 ? .mqtt311 : .mqtt5
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
      do throws(BrokerFailure) {
        let opened = try await environment.broker.connect(
          will: environment.dialect.will(birth: birth), protocolVersion: version)
        failures = 0
        isBirthUsed = true
        try await greet(opened)
        await stayConnected()
      } catch {
        closed()
        if error == .unsupportedProtocol, environment.configuration.protocolChoice == .automatic,
          version == .mqtt5
        {
          environment.log.warning(
            "the broker does not support MQTT 5; using 3.1.1, without reason codes")
          version = .mqtt311
          continue
        }
        // One number per connection: an attempt that reached nobody leaves its own to the next.
        if case .unreachable = error { isBirthUsed = false } else { isBirthUsed = true }
        failures += 1
        noteLoss(error)
        if failures == 1 || failures % 10 == 0 {
          environment.log.warning(
            "cannot connect to the broker", metadata: ["reason": "\(error)", "attempts": "\(failures)"])
        }
      }
      guard !Task.isCancelled, !isStopping else { return nil }
      let isTakenOver = lost?.failure == .sessionTakenOver
      // Another client under our name: no ping-pong (fault F70).
      let delay =
        isTakenOver
        ? Duration.seconds(60)
        : Self.reconnectDelay(afterFailures: max(1, failures), jitter: random.fraction())
      do { try await environment.timekeeper.sleep(for: delay) } catch { return nil }
    }
    return nil
  }

  /// Until the connection ends. A birth that does not come back may have been refused: the late will would stand there
  /// for good (fault F69). A broker that does not let us read it hears it again less and less often.
  private func stayConnected() async {
    var timeout = Self.birthTimeout
    while connection != nil, !Task.isCancelled {
      let pause = isFormerNameInUse ? Self.formerNamePause : nil
      await waker.sleep(atMost: isBirthSeen ? pause : timeout, by: environment.timekeeper)
      guard connection != nil, !isStopping else { continue }
      guard !isBirthSeen else {
        if isFormerNameInUse { await lookAtRetained() }
        continue
      }
      timeout = min(timeout * 2, Self.longestBirthTimeout)
      await announce("reconnected")
    }
  }

  /// Longer than a broker takes to notice that a client is gone.
  private static let formerNamePause = Duration.seconds(60)
  private static let birthTimeout = Duration.seconds(5)
  private static let longestBirthTimeout = Duration.seconds(300)

  /// First words on a new connection: subscriptions, birth, then whatever of the retained documents is not as it
  /// should be.
  private func greet(_ opened: BrokerConnection) async throws(BrokerFailure) {
    audit = RetainedReconciler()
    isBirthSeen = false
    outbox.connectionOpened(receiveMaximum: opened.receiveMaximum)
    try await environment.broker.subscribe(to: environment.dialect.subscriptions)
    await subscribe(to: outbox.discovery.places.subscriptions)
    (connection, outbox.isConnected) = (opened, true)
    let reason = isFirstConnection ? "started" : "reconnected"
    isFirstConnection = false
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
    try await auditRetained()
    outbox.wake()
  }

  /// The same on a connection that is; without one the next begins with it.
  func lookAtRetained() async {
    guard connection != nil else { return }
    audit = RetainedReconciler()
    do throws(BrokerFailure) { try await auditRetained() } catch {}
  }

  private func auditRetained() async throws(BrokerFailure) {
    let (broker, dialect) = (environment.broker, environment.dialect)
    let published = (try? await environment.store.outbox.retainedTopics().keys.sorted()) ?? []
    let begun = dialect.earlierDocuments(published: published)
    earlier = begun
    let (filters, announcements) = (
      dialect.retainedFilters + begun.filters, outbox.discovery.places.retainedFilters
    )
    try await broker.subscribe(to: filters.map { Subscription($0) })
    await subscribe(to: announcements.map { Subscription($0) })
    // The broker sends retained messages right behind its agreement; a second is plenty on any line that works.
    do { try await environment.timekeeper.sleep(for: .seconds(1)) } catch { return }
    try await broker.unsubscribe(from: filters + announcements)
    guard let seen = audit, let left = earlier else { return }
    earlier = nil
    let adapters = left.adapters
    if !adapters.isEmpty { await environment.handlers.connection(.foundAdapters(adapters)) }
    let (events, boards) = await environment.handlers.retainedState()
    audit = nil
    let ours = events.flatMap { dialect.messages(for: $0) } + outbox.discovery.current
    for message in seen.stale(ours) { outbox.queue(message) }
    // Which of ours go waits for a confirmation (fault F189): all stay.
    guard let boards else { return }
    removeFormer(left)
    let orphans = seen.orphans(names: left.abandonedIDs.union([environment.gateway]), boards: boards)
    clear(orphans)
    if !orphans.isEmpty {
      environment.log.notice(
        "removed retained messages of boards that are no longer admitted",
        metadata: ["count": "\(orphans.count)"])
    }
  }

  /// What a broker need not grant: without it all else goes on.
  private func subscribe(to subscriptions: [Subscription]) async {
    guard !subscriptions.isEmpty else { return }
    do throws(BrokerFailure) { try await environment.broker.subscribe(to: subscriptions) } catch {
      environment.log.warning(
        "the broker does not grant a subscription for Home Assistant; its access list must grant reading it",
        metadata: [
          "topics": "\(subscriptions.map(\.filter).joined(separator: ", "))", "reason": "\(error)",
        ])
    }
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
    await subscribe(to: after)
  }

  /// Home Assistant begins: it has read the documents by now, and shows what was measured last.
  private func welcomeHomeAssistant() async {
    let values = outbox.discovery.lastValues
    if !values.isEmpty { await environment.broker.publish(values.map { ($0, 0) }) }
  }

  /// Removes what was published under a base topic or an id that we do not have any more.
  private func removeFormer(_ left: EarlierDocuments) {
    isFormerNameInUse = !left.namesInUse.isEmpty
    if isFormerNameInUse {
      environment.log.notice(
        "a gateway is online under a name that this one had before; its documents stay",
        metadata: ["names": "\(left.namesInUse.joined(separator: ", "))"])
    }
    let topics = left.removable
    guard !topics.isEmpty else { return }
    clear(topics)
    environment.log.notice(
      "removed retained messages that were published under an earlier name",
      metadata: ["names": "\(left.abandoned.joined(separator: ", "))", "count": "\(topics.count)"])
  }

  private func clear(_ topics: [String]) {
    for topic in topics {
      outbox.queue(OutgoingMessage(MQTTMessage(topic: topic, payload: [], isRetained: true), .state))
    }
  }

  private func noteLoss(_ failure: BrokerFailure) {
    if lost == nil { lost = (environment.now, environment.uptime, failure) } else { lost?.failure = failure }
  }

  /// Takes what the broker tells.
  func listen() async -> StoreFailure? {
    for await event in environment.broker.events {
      switch event {
      case .message(let message): await received(message)
      case .acknowledged(let answers): await outbox.acknowledged(answers)
      case .disconnected(let failure):
        guard connection != nil else { break }
        closed()
        noteLoss(failure)
        if !isStopping {
          environment.log.warning("connection to the broker lost", metadata: ["reason": "\(failure)"])
          await environment.handlers.connection(
            .lost(reason: failure.description, isTakenOver: failure == .sessionTakenOver))
        }
        waker.wake()
      }
    }
    return nil
  }

  private func received(_ message: MQTTMessage) async {
    if outbox.discovery.places.isBirth(message) { return await welcomeHomeAssistant() }
    if let board = outbox.discovery.places.board(of: message.topic) {
      guard message.isRetained, let owner = outbox.discovery.owner(in: message.payload, of: board) else {
        return
      }
      audit?.saw(board, topic: message.topic, payload: message.payload, owner: owner)
      return
    }
    let time = environment.now
    if message.isRetained { earlier?.saw(message.topic, message.payload) }
    let meaning = environment.dialect.read(message, arrived: time) {
      ULID(at: time, using: &random).description
    }
    switch meaning {
    case .command(let target, let verb, let command):
      if message.isRetained, !message.payload.isEmpty { await clearRetained(message.topic) }
      await environment.handlers.command(target, verb, command)
    case .boardDocument(let board, let topic, let payload, let isRetained):
      guard isRetained else { break }
      audit?.saw(board, topic: topic, payload: payload)
      queries.saw(board, owner: DocumentOwner.gateway(in: payload))
    case .ownAvailability(let isOnline, let seen):
      guard connection != nil, !isStopping else { return }
      if isOnline, seen == birth {
        isBirthSeen = true
        return
      }
      // What stood there before our birth is history. A late will of an earlier connection, or somebody's mistake,
      // comes after it: what stands there must be this birth (fault F69).
      guard isBirthSeen else { return }
      environment.log.notice(
        "publishing availability again", metadata: ["seen_birth": "\(seen ?? -1)", "birth": "\(birth)"])
      await announce("reconnected")
    case .otherGateway(let id): queries.saw(gateway: id)
    case .unknown: break
    }
  }

  /// Whether another gateway has published documents of a board; asks the broker and waits a moment. Not to be waited
  /// for by who takes the broker's messages: the answer comes by one.
  func isOwnedElsewhere(_ board: BoardID) async -> Bool {
    guard connection != nil else { return false }
    queries.begin(board)
    let topics = environment.dialect.identityTopics(of: board)
    await listen(to: topics) { $0.queries.isLast(board) }
    return queries.end(board).map { $0 != environment.gateway } ?? false
  }

  /// Whether other gateways have ever spoken on this broker; asks it as `isOwnedElsewhere` does.
  func isAmongOthers() async -> Bool {
    guard connection != nil else { return false }
    queries.beginGateways()
    await listen(to: environment.dialect.gatewayFilters) { $0.queries.isLastForGateways }
    return queries.endGateways()
  }

  /// Subscribes for a moment, in which retained messages come; the last who asks ends it.
  private func listen(to topics: [String], until isLast: (BrokerLink) -> Bool) async {
    do throws(BrokerFailure) {
      try await environment.broker.subscribe(to: topics.map { Subscription($0) })
      do { try await environment.timekeeper.sleep(for: .seconds(1)) } catch {}
      if isLast(self) { try await environment.broker.unsubscribe(from: topics) }
    } catch {}
  }

  private func announce(_ reason: String) async {
    let birth = environment.dialect.birth(birth, at: environment.now, reason: reason)
    await environment.broker.publish([(birth.message, 0)])
  }

  private func closed() {
    (connection, outbox.isConnected) = (nil, false)
    outbox.wake()
  }

  /// A retained request would come again at every connect.
  private func clearRetained(_ topic: String) async {
    await environment.broker.publish([(MQTTMessage(topic: topic, payload: [], isRetained: true), 0)])
  }
}
