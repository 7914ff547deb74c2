import FleetModel

/// When a gateway looks for alarms, and what of them is published. Pure; times are uptimes.
struct AlarmWatch: Sendable {
  /// However much changes, no more is published than this: what hundreds of boards do at once is one message.
  static let spacing = Duration.seconds(5)
  /// Where nothing else wakes the gateway it looks this often: what only counters tell is an alarm soon, too.
  static let longestPause = Duration.seconds(15)
  /// Certificates change by the month.
  static let certificateSpacing = Duration.seconds(3_600)

  var book = AlarmBook()
  var recent = RecentCounts()
  var expiries = ExpiryNotices()
  /// As they were last read; nil before.
  private(set) var certificates: [AlarmFacts.Certificate]?
  /// As they were last published; nil until it was looked once.
  private(set) var report: AlarmReport?
  private var nextLook = Duration.zero
  private var nextCertificates = Duration.zero
  private var isChanged = false

  /// Whether it is time to look; the next time is later.
  mutating func takeLook(at uptime: Duration) -> Bool {
    guard uptime >= nextLook else { return false }
    nextLook = uptime + Self.spacing
    return true
  }

  /// Whether certificates are to be read before that.
  func needsCertificates(at uptime: Duration) -> Bool { certificates == nil || uptime >= nextCertificates }

  mutating func take(_ new: [AlarmFacts.Certificate], at uptime: Duration) {
    (certificates, nextCertificates) = (new, uptime + Self.certificateSpacing)
  }

  /// Others may lie there by now.
  mutating func lookAtCertificatesAgain() { nextCertificates = .zero }

  /// It was looked.
  mutating func take(_ found: AlarmFindings, at now: Timestamp, uptime: Duration) {
    book.take(found, at: now, uptime: uptime)
    isChanged = true
  }

  /// Somebody acknowledged some.
  mutating func acknowledged() { isChanged = true }

  /// What is published now; nil where nothing else is to be said.
  mutating func takeReport(at now: Timestamp) -> AlarmReport? {
    guard isChanged else { return nil }
    isChanged = false
    var new = AlarmReport(book.alarms, at: now)
    if let report {
      new.time = report.time
      guard new != report else { return nil }
      new.time = now
    }
    report = new
    return new
  }
}
