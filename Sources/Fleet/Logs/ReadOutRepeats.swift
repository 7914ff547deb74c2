/// How often a log is read out again in one go, because a page of it was in doubt (fault F110). Pure.
struct ReadOutRepeats: Hashable, Sendable {
  /// Read-outs in a row that may bring nothing that stays.
  static let limit = 3

  private var settled: Int
  private var fruitless = 0

  /// `settled` entries are stored for good before the first read-out.
  init(settled: Int) { self.settled = settled }

  /// A read-out ended in doubt, and `settled` entries are stored for good by now. Returns whether it is worth another one.
  mutating func ended(settled: Int) -> Bool {
    fruitless = settled > self.settled ? 1 : fruitless + 1
    self.settled = settled
    return fruitless < Self.limit
  }
}
