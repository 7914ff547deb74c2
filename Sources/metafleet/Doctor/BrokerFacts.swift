import Dialects
import FleetModel

/// What is so at the broker, as far as it could be reached.
struct BrokerFacts: Sendable {
  /// What became of a topic that the gateway publishes on, or hears.
  enum TopicFact: Hashable, Sendable {
    case granted
    case refused
    /// Where the broker does not tell.
    case unknown
  }

  /// A topic of the gateway's, for which the broker was asked.
  struct Topic: Hashable, Sendable {
    var topic: String
    var isRead: Bool
    var fact: TopicFact
  }

  var settings: UplinkConfiguration
  /// The gateway's id; nil before there is a configuration.
  var gateway: String?
  /// Why the password cannot be read; nil where it can, or there is none.
  var passwordFailure: String?
  /// Why there is no connection; nil where there was one.
  var failure: BrokerFailure?
  var isConnected = false
  var topics: [Topic] = []
  /// What the broker keeps of gateways and boards.
  var fleet = FleetView(base: "metafleet", scope: .everything)
  /// Command topics with a retained message.
  var retainedCommands: [String] = []
  var version: String
  var now: Timestamp
  var isRoot: Bool
}
