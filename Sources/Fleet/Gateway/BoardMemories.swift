import FleetModel
import Storage

/// What the store has of boards that nobody looks after: those that the last run looked after and this one not yet, and
/// those that the file lists no longer. Of the latter it is kept for a while: who comments a board out, restarts, and
/// puts it back, has the same board again (fault F200). Pure.
struct BoardMemories: Sendable {
  /// How long what is remembered of a board is kept once nobody wants it.
  static let keptFor = Duration.seconds(30 * 86_400)

  private var kept: [BoardID: BoardMemory] = [:]
  /// Since when nobody wants the boards that left.
  private(set) var left: [BoardID: Timestamp] = [:]

  init() {}

  /// As the store has them.
  init(_ stored: [BoardID: BoardMemory]) {
    left = stored.compactMapValues(\.leftSince)
    kept = stored.filter { $0.value.leftSince == nil }
  }

  /// The boards that were wanted when the last run ended.
  var wanted: Set<BoardID> { Set(kept.keys) }

  /// Hands out what is remembered of a board that is looked after from now on; nil for one that left, or is not known.
  mutating func take(_ board: BoardID) -> BoardMemory? { kept.removeValue(forKey: board) }

  /// Nobody wants it from now on.
  mutating func leave(_ board: BoardID, at now: Timestamp) {
    kept[board] = nil
    left[board] = now
  }

  /// It is wanted again, or nothing is remembered of it.
  mutating func forget(_ board: BoardID) {
    kept[board] = nil
    left[board] = nil
  }

  /// Those that left so long ago that they do not come back, in order.
  func expired(at now: Timestamp) -> [BoardID] {
    left.filter { Self.isDated($0.value, at: now) && now - $0.value >= Self.keptFor }.keys.sorted()
  }

  /// Those that left at a time that a wrong clock told: their time begins anew, in order.
  func undated(at now: Timestamp) -> [BoardID] {
    guard now.isPlausible else { return [] }
    return left.filter { !Self.isDated($0.value, at: now) }.keys.sorted()
  }

  private static func isDated(_ time: Timestamp, at now: Timestamp) -> Bool {
    time.isPlausible && time <= now
  }
}
