import BoardKit
import Synchronization

/// The events on their way to the one who consumes them.
final class RadioOutbox: Sendable {
  private let queue = Mutex(RadioEventQueue())
  private let bell: Bell

  init(bell: Bell) { self.bell = bell }

  func put(_ event: RadioEvent) {
    queue.withLock { $0.append(event) }
    bell.ring()
  }

  /// The next event; nil when the consumer is cancelled.
  func next() async -> RadioEvent? {
    while !Task.isCancelled {
      if let event = queue.withLock({ $0.next() }) { return event }
      await bell.wait()
    }
    return nil
  }
}
