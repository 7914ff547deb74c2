import DBus

/// Who listens to one characteristic, and by which of BlueZ's two ways: signals for any number of clients, or a
/// socket for one.
struct NotifySessions: Sendable, Equatable {
  private(set) var clients: Set<String> = []
  var isAcquired = false

  /// What `StopNotify` did.
  enum Stopped: Equatable, Sendable {
    case released
    case lastSessionEnded
    case sessionEnded
  }

  /// True if this is the first session.
  mutating func start(_ client: String) throws(DBusFailure) -> Bool {
    guard !isAcquired else { throw .notifyAcquired }
    let wasEmpty = clients.isEmpty
    clients.insert(client)
    return wasEmpty
  }

  /// Ends an acquired socket whoever asks.
  mutating func stop(_ client: String) throws(DBusFailure) -> Stopped {
    if isAcquired {
      isAcquired = false
      return .released
    }
    guard clients.remove(client) != nil else { throw .noNotifySession }
    return clients.isEmpty ? .lastSessionEnded : .sessionEnded
  }

  mutating func acquire() throws(DBusFailure) {
    guard !isAcquired else { throw .notifyAcquired }
    guard clients.isEmpty else { throw .notifying }
    isAcquired = true
  }

  /// A client left the bus. True if its was the last session.
  mutating func clientLeft(_ client: String) -> Bool { clients.remove(client) != nil && clients.isEmpty }
}
