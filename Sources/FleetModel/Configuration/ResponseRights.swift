import Synchronization

/// Where answers may go by now: whoever publishes them asks, and a reload changes it.
public final class ResponseRights: Sendable {
  private let topics: Mutex<ResponseTopics>

  /// What is permitted at first.
  public init(_ topics: ResponseTopics = .any) { self.topics = Mutex(topics) }

  /// Whether an answer may go to `topic`.
  public func permits(_ topic: String) -> Bool { topics.withLock { $0.permits(topic) } }

  /// Permits from now on what `topics` says.
  public func change(to topics: ResponseTopics) { self.topics.withLock { $0 = topics } }
}
