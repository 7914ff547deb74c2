import Dialects
import FleetModel

/// What this gateway said last on its retained topics, and where somebody else has said otherwise since. The broker is
/// asked what stands there before anything is said again: what others say may be about to be overtaken by us. Pure.
struct RetainedWatch: Sendable {
  /// What somebody did to a document.
  enum Change: Hashable, Sendable { case cleared, altered }

  /// How long after the first of some changes the broker is asked: what comes together is looked at together.
  static let delay = Duration.seconds(2)
  /// How soon after a repair the broker is asked again: twice as long each time, up to `longestPause`. Somebody who
  /// takes back whatever we say is not answered blow by blow.
  static let firstPause = Duration.seconds(5)
  static let longestPause = Duration.seconds(600)

  /// Hashes of what stands on the topics, as far as it goes by us.
  private var said: [String: UInt64] = [:]
  /// Topics on which others are heard.
  private var heard: Set<String> = []
  /// Whether others should be heard on other topics than they are.
  private(set) var hasNewTopics = false
  private var changes: [String: Change] = [:]
  private var lookAt: Duration?
  private var earliest = Duration.zero
  private var pause = firstPause
  /// Topics on which something of ours is under way, since a look at all of them began.
  private var underWay: Set<String> = []
  /// Topics that a look found empty, and that were said again.
  private var missed: Set<String> = []

  /// Something goes out on a retained topic.
  mutating func says(_ message: MQTTMessage) {
    guard message.isRetained else { return }
    underWay.insert(message.topic)
    stands(message)
  }

  /// This is what stands on these topics by now, or is about to.
  mutating func know(_ messages: [OutgoingMessage]) { for message in messages { stands(message.message) } }

  private mutating func stands(_ message: MQTTMessage) {
    changes[message.topic] = nil
    let isKnown = said[message.topic] != nil
    said[message.topic] = message.payload.isEmpty ? nil : StableHash.of(message.payload)
    if isKnown == message.payload.isEmpty { hasNewTopics = true }
  }

  /// A look at all retained topics begins: what is said from now on is on its way then.
  mutating func beginAudit() { underWay = [] }

  /// What was said on these topics before is still on its way, too.
  mutating func isWaiting(on topics: some Sequence<String>) { underWay.formUnion(topics) }

  /// All retained topics were looked at: something stands on `seen`, and on `stale` not what should. Returns where that
  /// is to be said again: not where it is on its way already, nor a second time where the broker never shows anything,
  /// which its access list only hides; at the beginning of a connection nobody knows that.
  mutating func looked(
    at stale: some Sequence<String>, seeing seen: Set<String>, isFirst: Bool
  ) -> Set<String> {
    let due = Set(stale).subtracting(underWay)
    guard !isFirst else { return due }
    missed.subtract(seen)
    defer { missed.formUnion(due.subtracting(seen)) }
    return due.subtracting(missed)
  }

  /// Whether nothing newer than this was said on its topic.
  func isLatest(_ message: MQTTMessage) -> Bool {
    said[message.topic].map { $0 == StableHash.of(message.payload) } ?? true
  }

  /// The connection is gone, and whatever was heard on it.
  mutating func closed() { (heard, changes, lookAt, hasNewTopics) = ([], [:], nil, !said.isEmpty) }

  /// On these others are not heard any more.
  mutating func lost(_ topics: [String]) {
    let lost = heard.intersection(topics)
    heard.subtract(lost)
    if !lost.isEmpty { hasNewTopics = true }
  }

  /// On which topics others are to be heard from now on, and on which no longer.
  mutating func takeTopics() -> (new: [String], old: [String]) {
    let topics = Set(said.keys)
    defer { (heard, hasNewTopics) = (topics, false) }
    return (topics.subtracting(heard).sorted(), heard.subtracting(topics).sorted())
  }

  /// Somebody else published a document on a topic. Returns whether the broker is to be asked what stands there.
  mutating func saw(_ topic: String, _ payload: [UInt8], at now: Duration) -> Bool {
    guard let ours = said[topic] else { return false }
    guard payload.isEmpty || StableHash.of(payload) != ours else {
      changes[topic] = nil
      return false
    }
    changes[topic] = payload.isEmpty ? .cleared : .altered
    if now > earliest + Self.longestPause { pause = Self.firstPause }
    lookAt = lookAt ?? max(now + Self.delay, earliest)
    return true
  }

  /// How long until the broker is to be asked; nil where nothing is in doubt.
  func wait(at now: Duration) -> Duration? { lookAt.map { max(.zero, $0 - now) } }

  /// The topics that are in doubt, once it is time to look at them.
  mutating func beginLook(at now: Duration) -> [String] {
    guard let due = lookAt, due <= now else { return [] }
    lookAt = nil
    return changes.keys.sorted()
  }

  /// The broker was asked about `topics`, and these are not as they should be: what was done to them. What was said
  /// anew meanwhile is in order.
  mutating func endLook(at topics: [String], stale: Set<String>, at now: Duration) -> [String: Change] {
    var found: [String: Change] = [:]
    for topic in topics {
      guard let change = changes.removeValue(forKey: topic), stale.contains(topic) else { continue }
      found[topic] = change
    }
    if !found.isEmpty {
      earliest = now + pause
      pause = min(pause * 2, Self.longestPause)
    }
    lookAt = changes.isEmpty ? nil : max(now + Self.delay, earliest)
    return found
  }
}
