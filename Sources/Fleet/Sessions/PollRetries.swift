import FleetModel

/// Readings that were due and brought nothing, by name, and when each is tried again: after minutes, although the next
/// one may be a day away (fault F187). Pure.
struct PollRetries {
  private struct Failure {
    /// In a row.
    var count: Int
    var next: Duration
    var isUnderWay = false
  }

  private var failures: [String: Failure] = [:]

  /// Whether everything that was tried brought something.
  var isEmpty: Bool { failures.isEmpty }

  /// Whether nothing keeps it from being tried.
  func allows(_ poll: String, at uptime: Duration) -> Bool {
    failures[poll].map { $0.next <= uptime } ?? true
  }

  /// It brought nothing. Returns whether that is new.
  mutating func failed(_ poll: String, at uptime: Duration) -> Bool {
    let count = (failures[poll]?.count ?? 0) + 1
    failures[poll] = Failure(
      count: count, next: uptime + Backoff.delay(afterRefusals: count, jitter: 0.5))
    return count == 1
  }

  /// It brought something, or is not wanted any more.
  mutating func ended(_ poll: String) { failures[poll] = nil }

  /// Whether it is to be tried again now; says so once.
  mutating func takeDue(_ poll: String, at uptime: Duration) -> Bool {
    guard let failure = failures[poll], !failure.isUnderWay, failure.next <= uptime else { return false }
    failures[poll]?.isUnderWay = true
    return true
  }

  /// Whether it is being tried again: nobody waits for another sample by that.
  func isRetry(_ poll: String) -> Bool { failures[poll]?.isUnderWay == true }
}
