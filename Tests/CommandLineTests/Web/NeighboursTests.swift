import Dialects
import EventLoops
import FleetModel
import Support
import Testing

@testable import Web
@testable import metafleet

@Suite(.timeLimit(.minutes(20))) struct NeighboursTests {
  /// A broker that has these messages, and refuses what it is told to.
  private final class Stub: Broker {
    let subscribed = Guarded<[String]>([])
    let isConnected = Guarded(false)
    private let messages: [MQTTMessage]
    private let (stream, feed) = AsyncStream.makeStream(of: BrokerEvent.self)
    private let (left, leave) = AsyncStream.makeStream(of: Void.self)

    init(_ messages: [MQTTMessage]) { self.messages = messages }

    nonisolated var events: AsyncStream<BrokerEvent> { stream }

    func connect(
      will: MQTTMessage?, protocolVersion: BrokerConnection.ProtocolVersion
    ) async throws(BrokerFailure) -> BrokerConnection {
      guard protocolVersion == .mqtt311 else { throw .unsupportedProtocol }
      isConnected.withLock { $0 = true }
      return BrokerConnection(
        protocolVersion: protocolVersion, isSessionPresent: false, receiveMaximum: 1, maximumPacketSize: nil)
    }

    func subscribe(to subscriptions: [Subscription]) async throws(BrokerFailure) {
      let filter = subscriptions[0].filter
      if filter.hasSuffix("health") { throw .denied(filter) }
      subscribed.withLock { $0.append(filter) }
      if filter == "m/gateway/+/event/+" { for message in messages { feed.yield(.message(message)) } }
    }

    func unsubscribe(from filters: [String]) async throws(BrokerFailure) {}
    func publish(_ messages: [(message: MQTTMessage, token: UInt64)]) async {}

    func disconnect(within limit: Duration) async {
      isConnected.withLock { $0 = false }
      leave.finish()
    }

    /// Comes back once it was left.
    func end() async { for await _ in left {} }
  }

  @Test func `others are heard while somebody watches, as far as the access list grants it`() async throws {
    let loop = try EventLoop(name: "neighbours")
    defer { loop.stop() }
    let own = LogExample.board
    let stub = Stub([
      MQTTMessage(topic: "m/board/\(own)/state", payload: Array("{}".utf8), isRetained: true),
      MQTTMessage(topic: "m/gateway/other/info", payload: Array("{}".utf8), isRetained: true),
    ])
    let timekeeper = ManualClock()
    let neighbours = Neighbours(
      on: loop, topics: TopicTree(base: "m", gateway: "gw"), timekeeper: timekeeper, newBroker: { stub })
    let streams = EventStreams()
    let (heard, hear) = AsyncStream.makeStream(of: Void.self)
    streams.whenReady { hear.yield() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { await neighbours.run(telling: streams) { $0 == own } }
      let number = try #require(streams.open(live: [], at: .zero))
      _ = streams.take(number, atMost: 100, at: .zero)
      // It does not speak MQTT 5, which is tried first.
      await timekeeper.sleepers()
      timekeeper.advance(by: .seconds(5))
      for await _ in heard { break }
      #expect(await neighbours.documents.keys.sorted() == ["gateway/other/info"])
      #expect(
        stub.subscribed.withLock { $0.contains("m/board/+/state") && !$0.contains("m/gateway/+/health") })
      streams.close(number)
      await stub.end()
      #expect(!stub.isConnected.withLock { $0 })
      group.cancelAll()
    }
  }
}
