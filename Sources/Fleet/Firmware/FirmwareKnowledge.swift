import BoardKit
import FleetModel

/// What is known of firmware: the last good index, and how the last check went. Pure.
struct FirmwareKnowledge: Sendable {
  private var fetched: FetchedIndex?
  private(set) var lastCheck: Timestamp?
  /// Whether that brought an index; nil where there was none yet.
  private var isLastOK: Bool?
  /// Why the last check brought no index, or could not keep it.
  private(set) var trouble: String?

  /// How long an answer may be old (MQTT contract 3.10).
  static let freshness = Duration.seconds(30 * 60)
  /// After a failed check the next one does not wait for its time.
  static let retry = Duration.seconds(3_600)

  /// With what an earlier run of the gateway kept.
  init(kept: FetchedIndex? = nil) { begin(with: kept) }

  /// Goes by what was kept of the index that is configured now. Trouble is over when a check says so.
  mutating func begin(with kept: FetchedIndex?) {
    fetched = kept
    (lastCheck, isLastOK) = (kept?.origin.fetched, kept == nil ? nil : true)
  }

  /// Whether there is an index to ask.
  var hasIndex: Bool { fetched != nil }
  /// Whether a check may mend something.
  var isLacking: Bool { !hasIndex || trouble != nil }

  /// Takes the outcome of a check. An index that cannot be had leaves the old one. Returns whether the trouble is new,
  /// or over; nil: neither.
  mutating func checked(_ outcome: Result<FetchedIndex, FirmwareCheckFailure>, at now: Timestamp) -> Bool? {
    let before = trouble
    lastCheck = now
    switch outcome {
    case .success(let new): (fetched, trouble, isLastOK) = (new, new.trouble, true)
    case .failure(let failure): (trouble, isLastOK) = (failure.description, false)
    }
    if trouble == before { return nil }
    return trouble != nil
  }

  /// Whether an answer may be given without another check.
  func isFresh(at now: Timestamp) -> Bool {
    guard let lastCheck, lastCheck <= now, trouble == nil else { return false }
    return now - lastCheck < Self.freshness
  }

  /// When to check; nil: never by itself. What never was checked is due from the start on. `gateway` decides how far it
  /// spreads.
  func due(
    _ rule: ScheduleRule, started: Timestamp, now: Timestamp, in zone: TimeZoneRules, of gateway: String = ""
  ) -> Timestamp? {
    // A check that seems to be of the future is one before the clock was set.
    guard let last = lastCheck, last <= now else { return rule.first(after: started, in: zone, of: gateway) }
    guard let due = rule.due(after: last, now: now, in: zone, of: gateway) else { return nil }
    return trouble == nil ? due : min(due, rule.hour(for: max(last + Self.retry, now), in: zone, of: gateway))
  }

  /// The numbers of health; `outdated` boards have something newer waiting (MQTT contract 1.6).
  func numbers(outdated: Int, at now: Timestamp) -> [Metric: Double] {
    let age = fetched.map { max(0, (now - $0.origin.fetched).inSeconds.rounded()) }
    return [
      .firmwareCheckOK: trouble == nil ? 1 : 0, .firmwareIndexAge: age ?? 0,
      .boardsOutdated: Double(outdated),
    ]
  }

  /// What is published of a board; nil while nothing is known at all.
  func report(on board: BoardID, _ description: BoardDescription, at now: Timestamp) -> FirmwareReport? {
    guard fetched != nil || trouble != nil else { return nil }
    return FirmwareReport(
      board: board, model: description.model, installed: description.firmwareRevision,
      offer: fetched?.index.offer(for: description), index: fetched?.origin, checked: lastCheck,
      isCheckOK: isLastOK, trouble: trouble, time: now)
  }
}
