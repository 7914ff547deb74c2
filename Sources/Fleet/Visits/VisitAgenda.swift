/// What one contact with a board is for, in order. Commands need no entry: they go before all of it. Pure.
struct VisitAgenda: Hashable, Sendable {
  /// Things to do, the most urgent first.
  enum Item: Int, Sendable, CaseIterable, Comparable {
    /// Look at the board's clock and log.
    case clock
    /// Read the battery if its schedule says so.
    case battery
    /// Read what is only readable.
    case reads
    /// Download the log.
    case download
    /// All is done: the link may go.
    case leave

    static func < (left: Item, right: Item) -> Bool { left.rawValue < right.rawValue }
  }

  private var items: Set<Item> = []

  init(_ items: Set<Item> = []) { self.items = items }

  /// The agenda of a contact. `isDue`: it was planned, not brought about by a command or a change; `isVisit`: the link
  /// is not held.
  init(isDue: Bool, isVisit: Bool, hasLog: Bool, downloads: Bool) {
    if hasLog { items.insert(.clock) }
    if isVisit { items.formUnion([.battery, .leave]) }
    if isVisit, isDue { items.insert(.reads) }
    if hasLog, downloads { items.insert(.download) }
  }

  var isEmpty: Bool { items.isEmpty }

  mutating func add(_ other: VisitAgenda) { items.formUnion(other.items) }

  /// Takes the next thing to do.
  mutating func next() -> Item? {
    guard let first = items.min() else { return nil }
    return items.remove(first)
  }
}
