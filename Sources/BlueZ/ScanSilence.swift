/// Whether a scan went deaf: nothing is received over it although boards are missing (fault F20). Pure; times are
/// monotonic.
///
/// With a filter of services silence may only mean that the missing boards are away; so before a scan counts as deaf it
/// receives everything for a while, and nothing comes even then.
struct ScanSilence: Sendable {
  enum Verdict: Hashable, Sendable {
    /// Nothing has to be done before `until`; nil: nothing at all.
    case fine(until: Duration?)
    /// Everything has to be received, until then at most.
    case doubtful(until: Duration)
    case deaf

    var isDoubtful: Bool { if case .doubtful = self { true } else { false } }

    /// When the verdict may be another one by itself.
    var end: Duration? {
      switch self {
      case .fine(let until): until
      case .doubtful(let until): until
      case .deaf: nil
      }
    }
  }

  /// Of the time without anything received, how much is without a filter.
  private static let doubtfulShare = 9
  /// Each restart in a row waits twice as long as the one before; this many times at most.
  private static let mostDoublings = 4

  private let limit: Duration
  private var lastReceived = Duration.zero
  private var missingSince: Duration?
  private var restarts = 0
  private var isDoubtful = false

  /// A scan is deaf that receives nothing for `limit`.
  init(limit: Duration) { self.limit = limit }

  /// Judges a scan that began at `start`; `isMissing`: whether a board is missing whose advertisements may come.
  mutating func judge(isMissing: Bool, scanningSince start: Duration, at now: Duration) -> Verdict {
    let verdict = assess(isMissing: isMissing, start, now)
    isDoubtful = verdict.isDoubtful
    return verdict
  }

  private mutating func assess(isMissing: Bool, _ start: Duration, _ now: Duration) -> Verdict {
    guard isMissing else {
      missingSince = nil
      return .fine(until: nil)
    }
    let since = missingSince ?? now
    missingSince = since
    let deaf = max(start, since, lastReceived) + limit * (1 << restarts)
    guard now < deaf else { return .deaf }
    let doubtful = deaf - limit / Self.doubtfulShare
    return now < doubtful ? .fine(until: doubtful) : .doubtful(until: deaf)
  }

  /// Anything was received. Returns whether the scan had been in doubt.
  mutating func received(at now: Duration) -> Bool {
    defer { isDoubtful = false }
    (lastReceived, restarts) = (now, 0)
    return isDoubtful
  }

  /// The scan was deaf and begins anew.
  mutating func restarted() { restarts = min(restarts + 1, Self.mostDoublings) }
}
