import EventLoops
import FleetModel

/// Whoever watches a gateway, and what is to be sent to each. Whatever thread publishes something says it here, and is
/// never held up; the server's thread sends it (fault F239).
package final class EventStreams: Sendable {
  /// So many may watch at a time.
  package static let most = 16
  /// After so long without anything to say a comment is sent.
  static let longestSilence = Duration.seconds(15)

  private struct State: Sendable {
    var queues: [UInt: StreamQueue] = [:]
    var lastTaken: [UInt: Duration] = [:]
    var lastNumber: UInt = 0
    /// Whether the server was woken and has not looked yet.
    var isAnnounced = false
    var wake: @Sendable () -> Void = {}
  }

  private let state = Guarded(State())
  /// An element after somebody came or left. One consumer.
  package let changes: AsyncStream<Void>
  private let changed: AsyncStream<Void>.Continuation

  package init() { (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  /// Whether nobody watches, so that nothing need be said.
  package var isIdle: Bool { state.withLock { $0.queues.isEmpty } }

  /// Was published just now.
  package func publish(_ messages: [StreamMessage]) {
    let wake = state.withLock { state -> (@Sendable () -> Void)? in
      var isNew = false
      for message in messages {
        var frame: [UInt8]?
        for number in state.queues.keys where state.queues[number]?.wants(message) == true {
          let bytes = frame ?? message.frame
          frame = bytes
          state.queues[number]?.add(message, bytes)
          isNew = true
        }
      }
      guard isNew, !state.isAnnounced else { return nil }
      state.isAnnounced = true
      return state.wake
    }
    wake?()
  }

  /// `wake` is called, on whatever thread, when there is something to be sent.
  func whenReady(_ wake: @escaping @Sendable () -> Void) { state.withLock { $0.wake = wake } }

  /// Begins a stream with live samples of these boards; nil where there are too many already.
  func open(live boards: Set<BoardID>, at now: Duration) -> UInt? {
    defer { changed.yield() }
    return state.withLock { state in
      guard state.queues.count < Self.most else { return nil }
      state.lastNumber += 1
      state.queues[state.lastNumber] = StreamQueue(live: boards)
      // The first comment goes at once: it tells that the stream has begun.
      state.queues[state.lastNumber]?.addComment()
      state.lastTaken[state.lastNumber] = now
      return state.lastNumber
    }
  }

  func close(_ number: UInt) {
    state.withLock {
      $0.queues[number] = nil
      $0.lastTaken[number] = nil
    }
    changed.yield()
  }

  /// The server looks at what there is.
  func noteLooked() { state.withLock { $0.isAnnounced = false } }

  /// Whether a stream has something to send, or is over.
  func isReady(_ number: UInt) -> Bool {
    state.withLock { state in state.queues[number].map { !$0.isEmpty || $0.isOver } ?? true }
  }

  /// The next bytes of a stream; nil when it is over.
  func take(_ number: UInt, atMost limit: Int, at now: Duration) -> ArraySlice<UInt8>? {
    state.withLock { state in
      guard let piece = state.queues[number]?.take(atMost: limit) else { return nil }
      if !piece.isEmpty {
        state.lastTaken[number] = now
      } else if state.queues[number]?.isOver == true {
        return nil
      }
      return piece
    }
  }

  /// Has streams that were silent for long say something.
  func keepAlive(at now: Duration) {
    state.withLock { state in
      for (number, time) in state.lastTaken where now - time >= Self.longestSilence {
        state.queues[number]?.addComment()
      }
    }
  }
}
