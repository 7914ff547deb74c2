import Storage

/// What goes to the broker next, as far as it is in memory: what was just written need not be read from the disk, and
/// what is read comes a piece at a time. Always the first rows of all that wait, in the order of the disk. Pure.
struct NextMessages: Sendable {
  /// How many rows stay in memory.
  static let most = 2_000
  /// How many of their bytes: a window of large batches.
  static let mostBytes = 4 << 20
  /// How many rows are read at a time.
  static let piece = 200

  private var rows: ArraySlice<OutboxRow> = []
  /// Whether nothing waits on the disk but these.
  private(set) var isComplete = false
  /// Counts how often the disk had to be looked at anew: what was read before is out of date.
  private(set) var look = 0

  var isEmpty: Bool { rows.isEmpty }

  /// Something changed on the disk without us.
  mutating func forget() {
    (rows, isComplete) = ([], false)
    look += 1
  }

  /// Rows that were just written. A retained topic has one row: the last one takes the place of all others.
  mutating func entered(_ written: [OutboxRow]) {
    guard !written.isEmpty else { return }
    let latest = Dictionary(
      written.filter(\.message.isRetained).map { ($0.message.topic, $0.id) }, uniquingKeysWith: max)
    func isReplaced(_ row: OutboxRow) -> Bool {
      row.message.isRetained && latest[row.message.topic].map { row.id < $0 } ?? false
    }
    let last = rows.last
    let taken = written.filter { row in
      !isReplaced(row) && (isComplete || last.map { row.isBefore($0) } ?? false)
    }
    keep((rows.filter { !isReplaced($0) } + taken).sorted { $0.isBefore($1) })
  }

  /// What was read behind these rows in the look of that number; the last piece of it is shorter than was asked for.
  mutating func read(_ more: [OutboxRow], of piece: Int, look: Int) {
    guard look == self.look else { return }
    isComplete = more.count < piece
    keep(Array(rows) + more)
  }

  /// The first of them, which are on their way now.
  mutating func take(atMost count: Int) -> [OutboxRow] {
    let taken = rows.prefix(count)
    rows = rows.dropFirst(count)
    return Array(taken)
  }

  /// Those that have no room stay on the disk alone.
  private mutating func keep(_ sorted: [OutboxRow]) {
    rows = []
    var bytes = 0
    for row in sorted {
      guard rows.count < Self.most, bytes < Self.mostBytes else { return isComplete = false }
      rows.append(row)
      bytes += row.message.size
    }
  }
}

extension OutboxRow {
  /// The order in which the disk hands rows over.
  fileprivate func isBefore(_ other: OutboxRow) -> Bool {
    (message.deliveryClass, id) < (other.message.deliveryClass, other.id)
  }
}
