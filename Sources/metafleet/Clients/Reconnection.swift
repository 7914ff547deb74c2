import Dialects
import EventLoops
import FleetModel

/// Has a client connect again after every loss, and hear then what it heard before (fault F211).
final class Reconnection: Sendable {
  private struct State: Sendable {
    var isLost = false
    var subscriptions: [Subscription] = []
  }

  /// Between two attempts, and how late a loss may be noticed here.
  private static let pause = Duration.seconds(1)
  private let state = Guarded(State())

  /// Remembers what is heard.
  func note(_ subscriptions: [Subscription]) { state.withLock { $0.subscriptions += subscriptions } }

  /// The connection is gone.
  func lost() { state.withLock { $0.isLost = true } }

  /// Works until it is cancelled. `ended` is told of each attempt that failed, and, with nil, of a new connection
  /// before anything is heard on it: the broker sends what it keeps at once, before it says that it agrees to a
  /// subscription.
  func run(
    on loop: EventLoop, of broker: any Broker, connect: () async throws(BrokerFailure) -> Void,
    ended: (BrokerFailure?) -> Void
  ) async {
    while !Task.isCancelled {
      do { try await loop.sleep(for: Self.pause) } catch { return }
      let subscriptions = state.withLock { state -> [Subscription]? in
        defer { state.isLost = false }
        return state.isLost ? state.subscriptions : nil
      }
      guard let subscriptions else { continue }
      do throws(BrokerFailure) {
        try await connect()
        ended(nil)
        try await broker.subscribe(to: subscriptions)
      } catch {
        lost()
        ended(error)
      }
    }
  }
}
