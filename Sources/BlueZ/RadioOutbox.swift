import BoardKit
import Synchronization

/// The events on their way to the one who consumes them.
final class RadioOutbox: Sendable {
  private let queue = Mutex(RadioEventQueue())
  private let waker: LoopWaker

  init(waker: LoopWaker) { self.waker = waker }

  func put(_ event: RadioEvent) {
    queue.withLock { $0.append(event) }
    waker.wake()
  }

  /// The next event; nil when the consumer is cancelled.
  func next() async -> RadioEvent? {
    while !Task.isCancelled {
      if let event = queue.withLock({ $0.next() }) { return event }
      await waker.wait()
    }
    return nil
  }
}
