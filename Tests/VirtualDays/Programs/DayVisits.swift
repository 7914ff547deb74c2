/// The visits to one board, as its events tell them: each in time, or told as missed.
struct DayVisits: Sendable {
  /// What tells of them. A board that was reset meanwhile has nothing to download.
  enum Event: String, Sendable {
    case connected = "link-up"
    case downloaded = "log-downloaded"
    case missed = "contact-missed"
  }

  /// When each was told, since the start; once, for the broker may get an event twice.
  private(set) var times: [Event: Set<Duration>] = [:]

  /// Visits are due with a jitter of a tenth, and told as missed half an hour later at the latest.
  private static let tolerance = Duration.seconds(1_800)

  mutating func note(_ event: Event, at time: Duration) { times[event, default: []].insert(time) }

  func count(_ event: Event) -> Int { times[event]?.count ?? 0 }

  /// What is wrong with them where one is due every so many hours, over `span`.
  func findings(every hours: Int, for span: Duration) -> [String] {
    let longest = Duration.seconds(hours * 3_960) + Self.tolerance
    guard span >= longest else { return [] }
    let visits = (times[.connected] ?? []).sorted()
    var findings: [String] = []
    for (before, after) in zip([.zero] + visits, visits + [span]) where after - before > longest {
      guard !(times[.missed] ?? []).contains(where: { before < $0 && $0 <= after }) else { continue }
      findings.append("was not visited from \(before) to \(after), and nothing said so")
    }
    // None starves: most visits come about.
    let expected = Int(span / .seconds(hours * 3_960))
    if count(.downloaded) * 2 < expected {
      findings.append("was downloaded \(count(.downloaded)) times instead of some \(expected)")
    }
    return findings
  }
}
