import Dialects
import FleetModel
import Web

/// What other gateways have said, as the broker tells it: their documents and those of their boards. Whatever is there
/// may come from anybody, so it has bounds, and must be JSON. Pure.
struct NeighbourDocuments: Sendable {
  /// Documents, and bytes of one and of all.
  static let (most, largest, mostBytes) = (10_000, 1 << 16, 1 << 25)

  /// Payloads by topics below the base.
  private(set) var byTopic: [String: [UInt8]] = [:]
  private var bytes = 0

  /// What to subscribe to, each by itself: an access list need not grant all of it.
  static func filters(in topics: TopicTree) -> [String] {
    FleetView(base: topics.base, scope: .everything).filters
      + ["board/+/event/+", "gateway/+/event/+"].map { "\(topics.base)/\($0)" }
  }

  /// The board that a message is about, whose gateway decides whether it is ours; nil for other messages.
  static func board(of message: MQTTMessage, in topics: TopicTree) -> BoardID? {
    let levels = Self.levels(of: message.topic, in: topics)
    return levels.count > 1 && levels[0] == "board" ? BoardID(levels[1]) : nil
  }

  private static func levels(of topic: String, in topics: TopicTree) -> [Substring] {
    guard topics.isOurs(topic) else { return [] }
    return topic.dropFirst(topics.base.count + 1).split(separator: "/", omittingEmptySubsequences: false)
  }

  /// Takes a message of somebody else; what those who watch hear of it.
  mutating func take(_ message: MQTTMessage, in topics: TopicTree) -> StreamMessage? {
    let levels = Self.levels(of: message.topic, in: topics)
    let isEvent = levels.count == 4 && levels[2] == "event"
    guard isEvent || levels.count == 3 || levels.count == 4 && ["adapter", "rollout"].contains(levels[2])
    else { return nil }
    // What is ours is known better here.
    guard levels[0] != "gateway" || levels[1] != topics.gateway else { return nil }
    let topic = levels.joined(separator: "/")
    guard !message.payload.isEmpty else {
      guard !isEvent, let old = byTopic.removeValue(forKey: topic) else { return nil }
      bytes -= old.count
      return StreamMessage(.document, topic: topic, payload: [])
    }
    guard message.payload.count <= Self.largest,
      let object = (try? StrictJSON.parse(message.payload, limits: .trusting))?.object
    else { return nil }
    let payload = JSONWriter.render(object)
    if isEvent {
      return message.isRetained ? nil : StreamMessage(.event, topic: topic, payload: payload)
    }
    let added = payload.count - (byTopic[topic]?.count ?? 0)
    guard byTopic[topic] != nil || byTopic.count < Self.most, bytes + added <= Self.mostBytes else {
      return nil
    }
    byTopic[topic] = payload
    bytes += added
    return StreamMessage(.document, topic: topic, payload: payload)
  }
}
