import Dialects

/// Which rows are under way, and how many more may be: at most what the broker lets us have unacknowledged.
struct InFlightWindow: Sendable {
  /// Messages that may be under way at once.
  static let largest = BrokerLimits.window

  private(set) var capacity = Self.largest
  private(set) var underWay: Set<Int64> = []

  /// Rows that may be handed over now.
  var room: Int { max(0, capacity - underWay.count) }

  /// A new connection: nothing is under way, and the broker says how much may be.
  mutating func opened(receiveMaximum: Int) {
    underWay.removeAll()
    capacity = max(1, min(Self.largest, receiveMaximum))
  }

  mutating func sent(_ row: Int64) { underWay.insert(row) }

  /// Returns whether the row was under way; a late word about another connection's row counts for nothing.
  mutating func answered(_ row: Int64) -> Bool { underWay.remove(row) != nil }
}
