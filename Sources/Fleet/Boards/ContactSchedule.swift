import FleetModel

/// Contacts with a board: when they are due and what each is for. Pure.
struct ContactSchedule: Hashable, Sendable {
  /// Downloads that fell short.
  var retry = LogRetry()
  /// Whether something is desired of the board that was not written yet.
  var isSetupPending = true
  /// Whether a contact's agenda is under way, and whether the contact was due.
  private(set) var isUnderWay = false
  private var isDue = false
  /// Whether the link has had its agenda.
  private var isVisited = false
  /// The due time that was reported as missed.
  private var missed: Timestamp?

  /// What contacts go by.
  struct Circumstances: Hashable, Sendable {
    var schedule: Schedule
    var log: StoredLogState
    var batteryPercent: Int?
    /// Whether the link is held, and no contact is a visit.
    var keepsConnection: Bool
    var now: Timestamp
    /// The host's distance from UTC.
    var offset: Duration

    /// How long silence is fine, where the profile does not say it.
    var standardWindow: Duration {
      keepsConnection ? .seconds(60) : max(.seconds(600), (schedule.period ?? Schedule.longestPause) * 2)
    }
  }

  /// When the next contact is due; nil = none by itself.
  func due(_ given: Circumstances) -> Timestamp? {
    given.schedule.due(
      Schedule.Facts(
        lastContact: given.log.lastContact, logLimit: given.log.estimate?.reaches(LogEstimate.limit),
        retry: retry.next, batteryPercent: given.batteryPercent),
      now: given.now, offset: given.offset)
  }

  /// How long to wait before the board is called: nil = not at all; a held link is always wanted. `isWaitedFor`:
  /// commands wait for the link.
  func pause(_ given: Circumstances, isWaitedFor: Bool) -> (isNow: Bool, until: Timestamp?) {
    if given.keepsConnection || isSetupPending || isWaitedFor { return (true, nil) }
    guard let due = due(given) else { return (false, nil) }
    return due <= given.now ? (true, nil) : (false, due)
  }

  /// What a link is wanted for.
  func purpose(_ given: Circumstances, isWaitedFor: Bool) -> ConnectionSlotPlan.Purpose {
    if isWaitedFor { return .command }
    if given.keepsConnection { return .stream }
    return given.schedule.visit.download && given.log.estimate != nil ? .download : .poll
  }

  /// A link is up; it has had no agenda yet.
  mutating func linkBegan() { (isUnderWay, isVisited) = (false, false) }

  mutating func linkEnded() { isUnderWay = false }

  /// Begins a contact's agenda when it is time. `isIdle`: no command waits or changes the board; `hasLog`: it logs, or
  /// did.
  mutating func begin(_ given: Circumstances, isIdle: Bool, hasLog: Bool) -> VisitAgenda? {
    guard !isUnderWay else { return nil }
    let due = due(given).map { $0 <= given.now } ?? false
    guard due || !given.keepsConnection && isIdle else { return nil }
    (isUnderWay, isDue) = (true, due)
    var agenda = VisitAgenda(
      isDue: due, isVisit: !given.keepsConnection && !isVisited, hasLog: hasLog,
      downloads: due && given.schedule.visit.download && retry.allows(at: given.now))
    agenda.add(VisitAgenda([.leave]))
    return agenda
  }

  /// The contact has done what it was for. Returns whether it was a due one.
  mutating func done() -> Bool {
    defer { isDue = false }
    isUnderWay = false
    isVisited = true
    guard isDue else { return false }
    missed = nil
    if retry.next == nil { retry.visited() }
    return true
  }

  /// A contact that was due and did not come about; reported once (MQTT contract 5).
  mutating func late(_ given: Circumstances) -> EventDraft? {
    guard !given.keepsConnection, given.log.lastContact != nil, let due = due(given), missed != due,
      given.now - due >= given.schedule.tolerance()
    else { return nil }
    missed = due
    let late = (given.now - due).inSeconds
    return EventDraft(
      .contactMissed, "missed",
      fields: ["due_ms": .integer(due.milliseconds), "late_s": .number((late * 10).rounded() / 10)])
  }
}
