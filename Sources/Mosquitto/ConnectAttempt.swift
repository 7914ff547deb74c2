import Dialects
import EventLoops

/// Somebody who waits for a connection, and for how long.
struct ConnectAttempt {
  let continuation: CheckedContinuation<Result<BrokerConnection, BrokerFailure>, Never>
  let deadline: LoopTimer

  func finish(_ result: Result<BrokerConnection, BrokerFailure>) {
    deadline.cancel()
    continuation.resume(returning: result)
  }
}
