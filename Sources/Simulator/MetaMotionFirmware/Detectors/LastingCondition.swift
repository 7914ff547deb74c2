/// A condition that is reported once when it has held for so long, and again only after it ended.
struct LastingCondition {
  let duration: Duration
  private var since: Duration?
  private(set) var isReported = false

  init(duration: Duration) { self.duration = duration }

  /// Whether it is to be reported now.
  mutating func update(_ holds: Bool, at now: Duration) -> Bool {
    guard holds else {
      since = nil
      isReported = false
      return false
    }
    let start = since ?? now
    since = start
    guard !isReported, now - start >= duration else { return false }
    isReported = true
    return true
  }
}
