import Dialects
import EventLoops
import FleetModel
import Synchronization
import Testing

@testable import metafleet

@Suite struct ReconnectionTests {
  /// Notes what is asked of it, in order.
  private final class NotingBroker: Broker {
    let events = AsyncStream<BrokerEvent> { $0.finish() }
    private let steps = Mutex<[String]>([])

    var noted: [String] { steps.withLock { $0 } }
    func note(_ step: String) { steps.withLock { $0.append(step) } }

    func connect(
      will: MQTTMessage?, protocolVersion: BrokerConnection.ProtocolVersion
    ) async throws(BrokerFailure) -> BrokerConnection {
      throw .unreachable("nobody asks for it here")
    }
    func subscribe(to subscriptions: [Subscription]) async throws(BrokerFailure) {
      note("subscribes to \(subscriptions.map(\.filter))")
    }
    func unsubscribe(from filters: [String]) async throws(BrokerFailure) {}
    func publish(_ messages: [(message: MQTTMessage, token: UInt64)]) async {}
    func disconnect(within limit: Duration) async {}
  }

  /// What the broker keeps arrives before it agrees to the subscription: a screen that is told only then would not see
  /// it, and take the fleet for gone.
  @Test func `F211 a broker that is back is told of before anything is heard of it`() async throws {
    let loop = try EventLoop.named("test")
    let (broker, reconnection) = (NotingBroker(), Reconnection())
    reconnection.note([Subscription("fleet/#", qualityOfService: .atMostOnce)])
    reconnection.lost()
    let (told, telling) = AsyncStream<Void>.makeStream()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await reconnection.run(
          on: loop, of: broker, connect: { () async throws(BrokerFailure) in broker.note("connects") },
          ended: { failure in
            broker.note("told \(failure.map { "\($0)" } ?? "that it is back")")
            telling.yield()
          })
      }
      for await _ in told { break }
      while broker.noted.count < 3 { await Task.yield() }
      group.cancelAll()
    }
    #expect(broker.noted == ["connects", "told that it is back", #"subscribes to ["fleet/#"]"#])
  }
}
