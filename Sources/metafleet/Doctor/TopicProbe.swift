import Dialects
import FleetModel

/// By which topics it is tried what the broker grants to a gateway, and what the answers mean. Pure.
///
/// Messages without content go to a board, an adapter and a verb that do not exist. Of what is published the broker
/// says whether it takes it; of what is read there is no word, so that a message of ours has to come back.
struct TopicProbe: Hashable, Sendable {
  let base: String
  let gateway: String
  let homeAssistant: String?

  private static let board = "000000000000"
  private static let name = "doctor"

  /// One of each kind that a gateway publishes.
  var published: [String] {
    let documents = TopicTree.BoardDocument.allCases.map { "\(base)/board/\(Self.board)/\($0.rawValue)" }
    let lanes = ["live", "record", "log", "lp", "cbor", "event", "reply"].map {
      "\(base)/board/\(Self.board)/\($0)/\(Self.name)"
    }
    let own = ["adapter/\(Self.board)", "event/\(Self.name)", "reply/\(Self.name)"].map {
      "\(base)/gateway/\(gateway)/\($0)"
    }
    let others = ["\(base)/group/\(Self.name)/reply/\(Self.name)"]
    let announcements = homeAssistant.map { ["\($0)/device/metafleet_\(Self.board)/config"] } ?? []
    return documents + lanes + own + others + announcements
  }

  /// Commands to nobody, which only come back where a gateway would hear them. One that is empty is none.
  var loops: [String] {
    ["board/\(Self.board)", "group/\(Self.name)", "gateway/\(gateway)"].map {
      "\(base)/\($0)/cmd/\(Self.name)"
    }
  }

  /// What a gateway listens to.
  var filters: [String] {
    TopicTree(base: base, gateway: gateway).commandFilters + ["\(base)/board/+/state"]
  }

  /// Notes what came back. `heard` says of a filter whether something did; false where listening was refused.
  func note(_ message: MQTTMessage, _ heard: inout [String: Bool]) {
    guard !message.isRetained, message.payload.isEmpty else { return }
    for (filter, topic) in readings where topic == message.topic && heard[filter] == nil {
      heard[filter] = true
    }
  }

  /// By which message it is tried whether a filter is heard.
  private var readings: [(filter: String, topic: String)] {
    Array(zip(filters, loops + ["\(base)/board/\(Self.board)/state"]))
  }

  /// The verdict of each topic. `answers` is what became of what was published, `tells` whether the broker says so.
  func topics(
    answers: [String: BrokerFacts.TopicFact], heard: [String: Bool], tells: Bool
  ) -> [BrokerFacts.Topic] {
    let written = published.map { topic in
      BrokerFacts.Topic(topic: topic, isRead: false, fact: tells ? answers[topic] ?? .unknown : .unknown)
    }
    let read = readings.map { filter, topic in
      let fact: BrokerFacts.TopicFact =
        switch heard[filter] {
        case true?: .granted
        case false?: .refused
        // What was published and did not come back; what could not be published tells nothing.
        case nil: tells && answers[topic] == .granted ? .refused : .unknown
        }
      return BrokerFacts.Topic(topic: filter, isRead: true, fact: fact)
    }
    return written + read
  }
}
