import Dialects
import EventLoops
import Fleet
import FleetModel
import Web

/// Listens to other gateways while somebody watches, over a connection to the broker of its own, so that the page shows
/// the whole building. Without a broker it shows what is here.
actor Neighbours {
  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  private let loop: EventLoop
  private let topics: TopicTree
  private let timekeeper: any Timekeeper
  private let newBroker: @Sendable () -> any Broker
  private var known = NeighbourDocuments()

  /// `newBroker` makes a connection's broker.
  init(
    on loop: EventLoop, topics: TopicTree, timekeeper: any Timekeeper,
    newBroker: @escaping @Sendable () -> any Broker
  ) {
    (self.loop, self.topics, self.timekeeper, self.newBroker) = (loop, topics, timekeeper, newBroker)
  }

  /// Payloads by topics below the base.
  var documents: [String: [UInt8]] { known.byTopic }

  /// Tells `streams` what is heard, until it is cancelled. `isOurs` says of a board whether it is this gateway's.
  func run(telling streams: EventStreams, isOurs: @escaping @Sendable (BoardID) async -> Bool) async {
    for await _ in streams.changes {
      guard !streams.isIdle else { continue }
      let broker = newBroker()
      await First.of(
        { await self.listen(to: broker, telling: streams, isOurs) },
        or: { for await _ in streams.changes where streams.isIdle { return } })
      await broker.disconnect(within: .seconds(1))
      known = NeighbourDocuments()
    }
  }

  /// Connects again after every loss.
  private func listen(
    to broker: any Broker, telling streams: EventStreams, _ isOurs: @Sendable (BoardID) async -> Bool
  ) async {
    var version = BrokerConnection.ProtocolVersion.mqtt5
    while !Task.isCancelled {
      do throws(BrokerFailure) {
        _ = try await broker.connect(will: nil, protocolVersion: version)
        try await subscribe(on: broker)
        await take(from: broker, telling: streams, isOurs)
      } catch {
        if error == .unsupportedProtocol { version = .mqtt311 }
      }
      do throws(CancellationError) { try await timekeeper.sleep(for: Self.pause) } catch { return }
    }
  }

  private static let pause = Duration.seconds(5)

  private func subscribe(on broker: any Broker) async throws(BrokerFailure) {
    for filter in NeighbourDocuments.filters(in: topics) {
      do throws(BrokerFailure) { try await broker.subscribe(to: [Subscription(filter)]) } catch {
        switch error {
        case .denied, .refused: continue
        default: throw error
        }
      }
    }
  }

  /// Until the connection ends.
  private func take(
    from broker: any Broker, telling streams: EventStreams, _ isOurs: @Sendable (BoardID) async -> Bool
  ) async {
    for await event in broker.events {
      switch event {
      case .message(let message):
        if let board = NeighbourDocuments.board(of: message, in: topics), await isOurs(board) { continue }
        if let heard = known.take(message, in: topics) { streams.publish([heard]) }
      case .acknowledged: break
      case .disconnected: return
      }
    }
  }
}
