/// Which of our QoS 1 messages the broker has not acknowledged, by the library's message id.
///
/// Ids are dealt out in turn, also to QoS 0 messages, and come round after 65 535: then the id of a message that
/// still waits would be given to another one, and the acknowledgement of one would be taken for the other's.
struct OutstandingMessages: Sendable {
  private struct Entry {
    let token: UInt64
    let place: Int
  }

  private var entries: [Int32: Entry] = [:]
  private var idsDealt = 0
  /// A message has waited so long that ids are about to come round: the connection is of no use any more.
  private(set) var isOverdue = false

  /// Looked at once in so many ids, so the longest wait is just below twice as many.
  private static let round = 30_000

  var isEmpty: Bool { entries.isEmpty }

  /// An id was used for something that is not waited for here.
  mutating func passOver() {
    idsDealt += 1
    if idsDealt % Self.round == 0, entries.values.contains(where: { $0.place <= idsDealt - Self.round }) {
      isOverdue = true
    }
  }

  mutating func add(_ id: Int32, token: UInt64) {
    passOver()
    entries[id] = Entry(token: token, place: idsDealt)
  }

  /// The token of `id`; nil for a QoS 0 message, or one not ours.
  mutating func remove(_ id: Int32) -> UInt64? {
    entries.removeValue(forKey: id)?.token
  }

  /// All tokens in the order of publishing.
  mutating func removeAll() -> [UInt64] {
    defer { entries = [:] }
    return entries.values.sorted { $0.place < $1.place }.map(\.token)
  }
}
