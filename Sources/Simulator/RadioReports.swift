import BoardKit

/// What a simulated radio has to report, and the signal that there is something.
struct RadioReports: Sendable {
  private var queue = RadioEventQueue()
  let signals: AsyncStream<Void>
  private let signal: AsyncStream<Void>.Continuation

  init() { (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  mutating func add(_ event: RadioEvent) {
    queue.append(event)
    signal.yield()
  }

  mutating func take() -> RadioEvent? { queue.popFirst() }
}
