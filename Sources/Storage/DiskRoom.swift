/// What there is room for where the database lies. Pure.
///
/// What is written lies there twice for a while: in the write-ahead log, and in the database once the log is folded
/// into it. How long the log may become goes by the file system: with SQLite's own measure, 4 MB, a small one is full
/// of it before it is ever folded. A reader can make it longer still; it must not take the room that folding it needs,
/// as nothing would ever come free then.
package struct DiskRoom: Hashable, Sendable {
  var space: DiskSpace
  /// Bytes inside the database that deleted rows left.
  var inside: Int
  /// Bytes by which the database grows when the log is folded into it.
  var owed: Int
  /// Bytes that are to stay free for replies, state and events, as somebody configured it.
  var reserve: Int

  /// Where nothing can become full.
  package static let unlimited = DiskRoom(space: DiskSpace(whole: 1 << 60, free: 1 << 60))
  /// Where less is left than is to stay free.
  package static let none = DiskRoom(space: DiskSpace(whole: 1 << 60, free: 0), reserve: 1 << 20)

  init(space: DiskSpace, inside: Int = 0, owed: Int = 0, reserve: Int = 0) {
    self.space = space
    self.inside = inside
    self.owed = owed
    self.reserve = reserve
  }

  /// Bytes of the write-ahead log that nobody but a reader who does not end can make it have.
  package static let longLog = 64 << 20

  /// SQLite's unit, in bytes.
  static let pageSize = 4_096

  /// Bytes at which the write-ahead log is folded, and to which it is cut when a reader made it longer: a thirty-second
  /// of the file system, at most SQLite's own 1 000 pages.
  var logSize: Int { min(max(space.whole / 32, 16 * Self.pageSize), 1_000 * Self.pageSize) }

  /// Bytes that one transaction should not exceed.
  package var piece: Int { min(logSize, 1 << 20) }

  /// Bytes that are to stay free: never more than a quarter of the file system.
  var kept: Int { min(reserve, space.whole / 4) }

  /// Bytes that nothing has a claim on.
  private var spare: Int { space.free - owed }

  /// Whether less is left than is to stay free. What deleted rows have left counts as long as the log, through which
  /// all of it is written, can grow.
  package var isLow: Bool { spare + inside < kept || spare < min(kept, logSize + piece) }

  /// Whether one more transaction, which lies in the log and grows the database, might take room that folding needs.
  var isFull: Bool { spare < 2 * piece }

  /// Whether so little is left that it matters what is inside and what is owed, with a log of so many bytes.
  func isTight(log: Int) -> Bool { space.free < kept + 4 * logSize + log }

  /// How many bytes of what is kept for convenience should give way before anything has to wait.
  package var shortfall: Int { max(0, kept + 4 * logSize - spare - inside) }

  /// What a write that succeeded says of the disk, of which `known` was known. Next to nothing can be written to a full
  /// disk, too: it is full until there is room.
  package func condition(after known: StoreFailure?) -> StoreFailure? {
    guard isLow else { return nil }
    return known == .full ? .full : .low
  }
}
