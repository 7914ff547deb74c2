import Dialects
import FleetModel
import Support
import VirtualTime

/// A broker that takes everything at once and keeps nothing of it.
actor ForgetfulBroker: Broker {
  nonisolated let events: AsyncStream<BrokerEvent>
  private nonisolated let world: SeededWorld
  nonisolated var unownedExecutor: UnownedSerialExecutor { world.asUnownedSerialExecutor() }
  private let news: AsyncStream<BrokerEvent>.Continuation
  private var filters: Set<String> = []
  private(set) var messages = 0

  init(on world: SeededWorld) {
    self.world = world
    (events, news) = AsyncStream.makeStream()
  }

  func connect(
    will: MQTTMessage?, protocolVersion: BrokerConnection.ProtocolVersion
  ) -> BrokerConnection {
    BrokerConnection(
      protocolVersion: protocolVersion, isSessionPresent: false, receiveMaximum: 100, maximumPacketSize: nil)
  }

  func subscribe(to subscriptions: [Subscription]) { filters.formUnion(subscriptions.map(\.filter)) }

  func unsubscribe(from filters: [String]) { self.filters.subtract(filters) }

  func publish(_ messages: [(message: MQTTMessage, token: UInt64)]) {
    self.messages += messages.count
    for (message, _) in messages where filters.contains(message.topic) { news.yield(.message(message)) }
    let answered = messages.filter { $0.message.qualityOfService != .atMostOnce }
    guard !answered.isEmpty else { return }
    news.yield(.acknowledged(answered.map { Acknowledgement(token: $0.token, failure: nil) }))
  }

  func disconnect(within limit: Duration) {}
}
