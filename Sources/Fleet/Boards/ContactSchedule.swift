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
  /// The due time of the visit that began last.
  private var begun: Timestamp?
  /// How long after its time the contact that began last did; nil unless it was a planned visit that had not begun
  /// before.
  private(set) var lateness: Duration?

  /// What contacts go by.
  struct Circumstances: Hashable, Sendable {
    var schedule: Schedule
    var log: StoredLogState
    var batteryPercent: Int?
    /// Whether the link is held, and no contact is a visit.
    var keepsConnection: Bool
    var now: Timestamp
    /// The site's clocks.
    var zone = TimeZoneRules.utc
    /// When the battery of a held board is due, and when it was read last.
    var batteryPolls = ScheduleRule.never
    var lastBattery: Timestamp?

    /// How long silence is fine, where the profile does not say it.
    var standardWindow: Duration {
      keepsConnection ? .seconds(60) : max(.seconds(600), (schedule.period ?? Schedule.longestPause) * 2)
    }
  }

  /// When the next contact is due; nil = none by itself.
  func due(_ given: Circumstances) -> Timestamp? { due(given, by: given.schedule) }

  private func due(_ given: Circumstances, by schedule: Schedule) -> Timestamp? {
    schedule.due(
      Schedule.Facts(
        lastContact: given.log.lastContact, logLimit: given.log.estimate?.reaches(LogEstimate.limit),
        retry: retry.next, batteryPercent: given.batteryPercent),
      now: given.now, in: given.zone)
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

  /// Begins a contact's agenda when it is time: a board that is connected anyway has what would be due soon done at
  /// once, instead of a contact of its own. `isIdle`: no command waits or changes the board; `hasLog`: it logs, or
  /// did.
  mutating func begin(_ given: Circumstances, isIdle: Bool, hasLog: Bool) -> VisitAgenda? {
    guard !isUnderWay else { return nil }
    let schedule = given.keepsConnection ? given.schedule : given.schedule.onContact
    let due = due(given, by: schedule).map { $0 <= given.now } ?? false
    guard due || !given.keepsConnection && isIdle else { return nil }
    noteLateness(given)
    (isUnderWay, isDue) = (true, due)
    var agenda = VisitAgenda(
      isDue: due, isVisit: !given.keepsConnection && !isVisited, hasLog: hasLog,
      downloads: due && given.schedule.visit.download && retry.allows(at: given.now))
    agenda.add(VisitAgenda([.leave]))
    return agenda
  }

  private mutating func noteLateness(_ given: Circumstances) {
    lateness = nil
    guard !given.keepsConnection, given.log.lastContact != nil, let due = due(given), due <= given.now,
      due != begun
    else { return }
    begun = due
    lateness = given.now - due
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

  /// When the battery of a held board counts as not read in time: nil = it does not, or was told.
  func missedPoll(_ given: Circumstances) -> Timestamp? {
    guard given.keepsConnection, let last = given.lastBattery,
      let due = given.batteryPolls.due(after: last, now: given.now, in: given.zone), due != missed
    else { return nil }
    return due + Schedule.leastPause
  }

  /// A battery poll of a held board that was due while its link was away; told once, until it is made up for (fault
  /// F187).
  mutating func latePoll(_ given: Circumstances) -> Bool {
    guard let time = missedPoll(given), time <= given.now else { return false }
    missed = time - Schedule.leastPause
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
