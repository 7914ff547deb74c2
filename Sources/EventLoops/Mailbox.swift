/// What other threads have left for a loop, and whether there still is a thread to do it.
struct Mailbox: Sendable {
  enum Item: Sendable {
    case job(UnownedJob)
    case callback(@Sendable () -> Void)
  }

  enum Phase: Sendable {
    case running
    /// The thread will end as soon as the mailbox is empty.
    case stopping
    /// The thread has ended; a late item starts a short-lived one.
    case ended
    /// A short-lived thread is at work.
    case reviving
  }

  /// What whoever put an item in has to do about it.
  enum Errand: Sendable { case nothing, wake, revive }

  private(set) var phase = Phase.running
  private var items: [Item] = []

  var isEmpty: Bool { items.isEmpty }

  mutating func put(_ item: Item) -> Errand {
    items.append(item)
    switch phase {
    case .running, .stopping: return items.count == 1 ? .wake : .nothing
    case .reviving: return .nothing
    case .ended:
      phase = .reviving
      return .revive
    }
  }

  mutating func takeAll() -> [Item] {
    defer { items.removeAll(keepingCapacity: true) }
    return items
  }

  /// True for the first who asks.
  mutating func requestStop() -> Bool {
    guard phase == .running else { return false }
    phase = .stopping
    return true
  }

  /// Asked by the loop's thread between two turns: true if it may end now. An item that comes later is seen
  /// by `put` as coming after the end.
  mutating func endIfDone() -> Bool {
    guard phase != .running, items.isEmpty else { return false }
    phase = .ended
    return true
  }
}
