/// A condition that is told once when it has held for so long, and again only after it ended.
struct LastingCondition {
  let duration: Duration
  private var since: Duration?
  private(set) var isTold = false

  init(duration: Duration) { self.duration = duration }

  /// Whether it is to be told now.
  mutating func look(_ holds: Bool, at now: Duration) -> Bool {
    guard holds else {
      since = nil
      isTold = false
      return false
    }
    let start = since ?? now
    since = start
    guard !isTold, now - start >= duration else { return false }
    isTold = true
    return true
  }
}
