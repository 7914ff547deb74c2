/// How often a log is read out again in one go, because a page of it was in doubt (fault F110). Pure.
struct ReadOutRetries: Hashable, Sendable {
  /// Read-outs in a row that may bring nothing that stays.
  static let limit = 3

  private var complete: Int
  private var fruitless = 0

  /// `complete` entries are stored for good before the first read-out.
  init(complete: Int) { self.complete = complete }

  /// A read-out ended in doubt, and `complete` entries are stored for good by now. Returns whether it is worth another
  /// one.
  mutating func ended(complete: Int) -> Bool {
    fruitless = complete > self.complete ? 1 : fruitless + 1
    self.complete = complete
    return fruitless < Self.limit
  }
}
