import Dialects
import FleetModel
import Logging
import Storage

/// Connecting, and staying connected.
extension Uplink {
  /// Wait before the next attempt: 1 s doubling to 60 s, with jitter, for ever (fault F61).
  static func reconnectDelay(afterFailures failures: Int, jitter: Double) -> Duration {
    let base = min(Double(1 << min(max(failures - 1, 0), 6)), 60)
    return .milliseconds(Int64(base * (0.5 + 0.5 * jitter) * 1000))
  }

  func keepConnected() async -> StoreFailure? {
    var failures = 0
    var isBirthUsed = true
    var version: BrokerConnection.ProtocolVersion =
      configuration.protocolChoice == .mqtt311 ? .mqtt311 : .mqtt5
    while !Task.isCancelled, !isStopping {
      do throws(StoreFailure) { if isBirthUsed { birth = try await store.nextBirth() } } catch {
        if error.isFinal { return error }
        // The broker must hear of us although the disk refuses; a number that grows with time was never used before.
        birth = max(birth + 1, Int(timekeeper.now.milliseconds / 1_000))
        unkeptBirth = birth
        log.error("the birth number cannot be stored", metadata: ["reason": "\(error)", "birth": "\(birth)"])
      }
      do throws(BrokerFailure) {
        let opened = try await broker.connect(will: dialect.will(birth: birth), protocolVersion: version)
        failures = 0
        isBirthUsed = true
        try await greet(opened)
        await stayConnected()
      } catch {
        connection = nil
        if error == .unsupportedProtocol, configuration.protocolChoice == .automatic, version == .mqtt5 {
          log.warning("the broker does not speak MQTT 5; falling back to 3.1.1, without reason codes")
          version = .mqtt311
          continue
        }
        // One number per connection: an attempt that reached nobody leaves its own to the next.
        if case .unreachable = error { isBirthUsed = false } else { isBirthUsed = true }
        failures += 1
        noteLoss(error)
        if failures == 1 || failures % 10 == 0 {
          log.warning("no broker", metadata: ["reason": "\(error.words)", "attempts": "\(failures)"])
        }
      }
      guard !Task.isCancelled, !isStopping else { return nil }
      let isTakenOver = lost?.failure == .sessionTakenOver
      // Another client under our name: no ping-pong (fault F70).
      let delay =
        isTakenOver
        ? Duration.seconds(60)
        : Self.reconnectDelay(afterFailures: max(1, failures), jitter: random.fraction())
      do { try await timekeeper.sleep(for: delay) } catch { return nil }
    }
    return nil
  }

  /// Until the connection ends. A birth that does not come back may have been refused: the late will would stand there
  /// for good (fault F69). A broker that does not let us read it hears it again less and less often.
  private func stayConnected() async {
    var patience = Self.birthPatience
    while connection != nil, !Task.isCancelled {
      await connectionAlarm.sleep(atMost: isBirthSeen ? nil : patience, by: timekeeper)
      guard connection != nil, !isBirthSeen, !isStopping else { continue }
      patience = min(patience * 2, Self.longestBirthPatience)
      await broker.publish([(dialect.birth(birth, at: timekeeper.now, reason: "reconnected").message, 0)])
    }
  }

  private static let birthPatience = Duration.seconds(5)
  private static let longestBirthPatience = Duration.seconds(300)

  /// First words on a new connection: subscriptions, birth, then whatever of the retained documents is not as it
  /// should be.
  private func greet(_ opened: BrokerConnection) async throws(BrokerFailure) {
    audit = RetainedAudit()
    isBirthSeen = false
    window.opened(receiveMaximum: opened.receiveMaximum)
    messagesUnderWay.removeAll()
    takeBackDirect()
    pace.opened(at: timekeeper.uptime)
    hasWaiting = true
    try await broker.subscribe(to: dialect.subscriptions)
    connection = opened
    let reason = isFirstConnection ? "started" : "reconnected"
    isFirstConnection = false
    await broker.publish([(dialect.birth(birth, at: timekeeper.now, reason: reason).message, 0)])
    log.info(
      "broker connected", metadata: ["protocol": "\(opened.protocolVersion.rawValue)", "birth": "\(birth)"])
    let outage = lost.map { timekeeper.uptime - $0.uptime }
    await handlers?.connection(
      .connected(
        mqttProtocol: opened.protocolVersion.rawValue, lostAt: lost?.since, outage: outage,
        reason: lost?.failure.words))
    lost = nil
    await resumeReplay()
    try await auditRetained()
    outboxAlarm.ring()
  }

  private func auditRetained() async throws(BrokerFailure) {
    try await broker.subscribe(to: dialect.retainedFilters.map { Subscription($0) })
    // The broker sends retained messages right behind its agreement; a second is plenty on any line that works.
    do { try await timekeeper.sleep(for: .seconds(1)) } catch { return }
    try await broker.unsubscribe(from: dialect.retainedFilters)
    guard let seen = audit, let (events, boards) = await handlers?.retainedState() else { return }
    audit = nil
    let ours = events.flatMap { dialect.messages(for: $0) }
    for message in seen.stale(ours) { queueAgain(message) }
    let orphans = seen.orphans(gateway: gateway, boards: boards)
    for topic in orphans {
      queueAgain(OutgoingMessage(MQTTMessage(topic: topic, payload: [], isRetained: true), .state))
    }
    if !orphans.isEmpty { log.notice("removed orphaned topics", metadata: ["count": "\(orphans.count)"]) }
  }

  private func noteLoss(_ failure: BrokerFailure) {
    if lost == nil { lost = (timekeeper.now, timekeeper.uptime, failure) } else { lost?.failure = failure }
  }

  /// Takes what the broker tells.
  func listen() async -> StoreFailure? {
    for await event in broker.events {
      switch event {
      case .message(let message): await received(message)
      case .acknowledged(let answers): await acknowledged(answers)
      case .disconnected(let failure):
        guard connection != nil else { break }
        connection = nil
        noteLoss(failure)
        if !isStopping {
          log.warning("broker lost", metadata: ["reason": "\(failure.words)"])
          await handlers?.connection(.lost(reason: failure.words, isTakenOver: failure == .sessionTakenOver))
        }
        connectionAlarm.ring()
      }
    }
    return nil
  }

  private func received(_ message: MQTTMessage) async {
    let time = timekeeper.now
    let meaning = dialect.read(message, arrived: time) { ULID(at: time, using: &random).description }
    switch meaning {
    case .command(let target, let verb, let command):
      if message.isRetained, !message.payload.isEmpty { await clearRetained(message.topic) }
      await handlers?.command(target, verb, command)
    case .boardDocument(let board, let topic, let payload, let isRetained):
      guard isRetained else { break }
      audit?.saw(board, topic: topic, payload: payload)
      if lookups[board] != nil { lookups[board]?.owner = RetainedAudit.owner(in: payload) }
    case .ownAvailability(let isOnline, let seen):
      guard connection != nil, !isStopping else { return }
      if isOnline, seen == birth {
        isBirthSeen = true
        return
      }
      // What stood there before our birth is history. A late will of an earlier connection, or somebody's mistake,
      // comes after it: what stands there must be this birth (fault F69).
      guard isBirthSeen else { return }
      log.notice("re-asserting availability", metadata: ["seen_birth": "\(seen ?? -1)", "birth": "\(birth)"])
      await broker.publish([(dialect.birth(birth, at: time, reason: "reconnected").message, 0)])
    case .otherGateway(let id): if gatewayLookup.askers > 0 { gatewayLookup.seen.insert(id) }
    case .unknown: break
    }
  }

  /// Whether another gateway has published documents of a board; asks the broker and waits a moment. Not to be waited
  /// for by who takes the broker's messages: the answer comes by one.
  func isOwnedElsewhere(_ board: BoardID) async -> Bool {
    guard connection != nil else { return false }
    lookups[board, default: Lookup()].askers += 1
    let topics = dialect.identityTopics(of: board)
    do throws(BrokerFailure) {
      try await broker.subscribe(to: topics.map { Subscription($0) })
      do { try await timekeeper.sleep(for: .seconds(1)) } catch {}
      if lookups[board]?.askers == 1 { try await broker.unsubscribe(from: topics) }
    } catch {}
    let owner = lookups[board]?.owner
    lookups[board]?.askers -= 1
    if lookups[board]?.askers == 0 { lookups[board] = nil }
    return owner.map { $0 != gateway } ?? false
  }

  /// Whether other gateways have ever spoken on this broker; asks it as `isOwnedElsewhere` does.
  func isAmongOthers() async -> Bool {
    guard connection != nil else { return false }
    gatewayLookup.askers += 1
    do throws(BrokerFailure) {
      try await broker.subscribe(to: dialect.gatewayFilters.map { Subscription($0) })
      do { try await timekeeper.sleep(for: .seconds(1)) } catch {}
      if gatewayLookup.askers == 1 { try await broker.unsubscribe(from: dialect.gatewayFilters) }
    } catch {}
    let isAmongOthers = !gatewayLookup.seen.isEmpty
    gatewayLookup.askers -= 1
    if gatewayLookup.askers == 0 { gatewayLookup.seen = [] }
    return isAmongOthers
  }

  /// A retained request would come again at every connect.
  private func clearRetained(_ topic: String) async {
    await broker.publish([(MQTTMessage(topic: topic, payload: [], isRetained: true), 0)])
  }
}

extension BrokerFailure {
  /// One sentence for a person.
  var words: String {
    switch self {
    case .unreachable(let text): "the broker cannot be reached: \(text)"
    case .insecure(let text): "TLS failed: \(text)"
    case .notAuthorised(let text): "the broker refused us: \(text); check user, password and access rules"
    case .unsupportedProtocol: "the broker does not speak this MQTT version"
    case .sessionTakenOver: "another client connected under our client id; give each gateway its own"
    case .connectionLost(let text): "the connection was lost: \(text)"
    case .refused(let code, let text): "the broker refused (0x\(String(code, radix: 16))): \(text)"
    case .tooLarge: "the message is larger than the broker takes"
    case .misuse(let text): "the MQTT library was used wrongly: \(text)"
    }
  }
}
