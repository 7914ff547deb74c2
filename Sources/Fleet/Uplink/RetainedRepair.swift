import Dialects
import FleetModel
import Logging

/// Hears what others do to this gateway's retained documents while it is connected, and says them again. Confined to
/// its uplink.
final class RetainedRepair {
  private let environment: UplinkEnvironment
  private let outbox: Outbox
  /// What the broker holds of the documents in doubt, while it is asked.
  private var look: RetainedReconciler?
  /// Whether the connection hears others without hearing itself, which takes MQTT 5.
  private var isListening = false
  private var isDenied = false
  private let waker = TaskWaker()

  init(_ environment: UplinkEnvironment, outbox: Outbox) {
    (self.environment, self.outbox) = (environment, outbox)
  }

  /// All documents were looked at on a new connection: `documents` is what stands there by now.
  func opened(_ connection: BrokerConnection, knowing documents: [OutgoingMessage]) {
    outbox.retained.know(documents)
    (isListening, isDenied) = (connection.protocolVersion == .mqtt5, false)
    waker.wake()
  }

  func closed() {
    outbox.retained.closed()
    (isListening, look) = (false, nil)
  }

  /// These subscriptions have ended, and with them those of the repair to the same topics.
  func lost(_ filters: [String]) {
    outbox.retained.lost(filters)
    wake()
  }

  /// There are documents on other topics than before.
  func wake() { if isListening, outbox.retained.hasNewTopics { waker.wake() } }

  /// Takes a message that the broker delivers.
  func saw(_ message: MQTTMessage) {
    guard isListening, message.isRetained else { return }
    if look != nil { look?.saw(topic: message.topic, payload: message.payload) }
    if outbox.retained.saw(message.topic, message.payload, at: environment.uptime) { waker.wake() }
  }

  /// Works until cancelled.
  func run() async {
    while !Task.isCancelled {
      let wait = isListening ? outbox.retained.wait(at: environment.uptime) : nil
      await waker.sleep(atMost: wait, by: environment.timekeeper)
      guard isListening, !outbox.isStopping else { continue }
      if outbox.retained.hasNewTopics { await hearOthers() }
      let topics = outbox.retained.beginLook(at: environment.uptime)
      if !topics.isEmpty { await repair(topics) }
    }
  }

  private func hearOthers() async {
    let (new, old) = outbox.retained.takeTopics()
    if !old.isEmpty { try? await environment.broker.unsubscribe(from: old) }
    await subscribe(to: new, isNoLocal: true)
  }

  /// What a broker need not grant: without it documents are looked at when the next connection begins.
  private func subscribe(to topics: [String], isNoLocal: Bool) async {
    for topic in topics {
      do throws(BrokerFailure) {
        try await environment.broker.subscribe(to: [Subscription(topic, isNoLocal: isNoLocal)])
      } catch {
        guard error.isOfOneRequest else { return }
        if isDenied { continue }
        isDenied = true
        environment.log.warning(
          "the broker does not let the gateway read its own retained documents; what others do to them is noticed at the next connection only",
          metadata: ["topic": "\(topic)", "reason": "\(error)"])
      }
    }
  }

  /// All documents were looked at: says again what does not stand there as it should. On a connection that goes on that
  /// was somebody's doing, which is told, and another gateway's word is left to it.
  func mend(_ ours: [OutgoingMessage], as seen: RetainedReconciler, isFirst: Bool) async {
    var stale = seen.stale(ours)
    if !isFirst { stale.removeAll { seen.isOfAnother($0.message.topic, than: environment.gateway) } }
    let due = outbox.retained.looked(
      at: stale.map(\.message.topic), seeing: seen.topics, isFirst: isFirst)
    for message in stale where due.contains(message.message.topic) { outbox.queue(message) }
    if !isFirst { await report(seen.changes(of: due)) }
  }

  /// Asks the broker what stands on topics that are in doubt, and says again what is not ours.
  private func repair(_ topics: [String]) async {
    look = RetainedReconciler()
    await subscribe(to: topics, isNoLocal: false)
    do { try await environment.timekeeper.sleep(for: BrokerLimits.retainedTime) } catch { return }
    guard isListening, let seen = look else { return }
    look = nil
    await subscribe(to: topics, isNoLocal: true)
    let (events, _) = await environment.handlers.retainedState()
    let all = events.flatMap { environment.dialect.messages(for: $0) } + outbox.discovery.current
    let ours = all.filter { topics.contains($0.message.topic) }.map {
      outbox.inFlight.fitted($0, by: environment.dialect)
    }
    let stale = seen.stale(ours)
      .filter { !seen.isOfAnother($0.message.topic, than: environment.gateway) }
    let found = outbox.retained.endLook(
      at: topics, stale: Set(stale.map(\.message.topic)), at: environment.uptime)
    for message in stale where found[message.message.topic] != nil { outbox.queue(message) }
    await report(found)
  }

  /// Tells what was said again because others had cleared or altered it.
  func report(_ found: [String: RetainedWatch.Change]) async {
    guard !found.isEmpty else { return }
    environment.counters.add(found.count, to: .retainedRepaired)
    for change in [RetainedWatch.Change.cleared, .altered] {
      let topics = found.filter { $0.value == change }.keys.sorted()
      guard let first = topics.first else { continue }
      environment.log.warning(
        "somebody else \(change == .cleared ? "cleared" : "altered") retained documents of this gateway; they were published again",
        metadata: ["topic": "\(first)", "count": "\(topics.count)"])
      await environment.handlers.connection(
        .repaired(topic: first, isCleared: change == .cleared, count: topics.count))
    }
  }

  /// Removes what was published under a base topic or an id that we do not have any more, and what tells of boards that
  /// nobody has.
  func remove(_ left: EarlierDocuments, orphans: [String]) {
    if !left.namesInUse.isEmpty {
      environment.log.notice(
        "a gateway is online under a name that this one had before; its documents stay",
        metadata: ["names": "\(left.namesInUse.joined(separator: ", "))"])
    }
    let topics = left.removable
    for topic in topics + orphans {
      outbox.queue(OutgoingMessage(MQTTMessage(topic: topic, payload: [], isRetained: true), .state))
    }
    if !topics.isEmpty {
      environment.log.notice(
        "removed retained messages that were published under an earlier name",
        metadata: ["names": "\(left.abandoned.joined(separator: ", "))", "count": "\(topics.count)"])
    }
    if !orphans.isEmpty {
      environment.log.notice(
        "removed retained messages of boards that are no longer admitted",
        metadata: ["count": "\(orphans.count)"])
    }
  }
}
