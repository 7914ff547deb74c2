/// How many calls may be on the bus at once, and in which order the others follow.
///
/// The bus allows a connection 128 calls without an answer and refuses the rest. A call that nobody waits for any
/// more still counts there until its answer comes, so such calls are remembered, and are many one day if the
/// other side swallows calls: then only a new connection helps.
struct CallWindow<ID: Hashable & Sendable>: Sendable {
  private let limit: Int
  private let abandonedLimit: Int
  private var onBus: [UInt32: ID] = [:]
  private var waiting: [ID] = []
  private var abandoned: Set<UInt32> = []

  init(limit: Int = 64, abandonedLimit: Int = 60) {
    self.limit = limit
    self.abandonedLimit = abandonedLimit
  }

  var isExhausted: Bool { abandoned.count >= abandonedLimit }
  var isIdle: Bool { onBus.isEmpty && waiting.isEmpty }

  mutating func enter(_ call: ID) { waiting.append(call) }

  /// The next call to be sent, if there is a place for it; report it with `sent`.
  mutating func next() -> ID? {
    onBus.count < limit && !waiting.isEmpty ? waiting.removeFirst() : nil
  }

  mutating func sent(_ call: ID, serial: UInt32) { onBus[serial] = call }

  /// Whom an answer is for; nil if nobody waits for it.
  mutating func answered(serial: UInt32) -> ID? {
    abandoned.remove(serial)
    return onBus.removeValue(forKey: serial)
  }

  /// The caller gave up. `serial` is nil if the call was never sent.
  mutating func abandon(_ call: ID, serial: UInt32?) {
    guard let serial else { return waiting.removeAll { $0 == call } }
    if onBus.removeValue(forKey: serial) != nil { abandoned.insert(serial) }
  }
}
