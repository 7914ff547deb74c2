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
  /// The due times that were reported as missed, by what was due.
  private var missed: [Deadline.Purpose: Timestamp] = [:]
  /// The due time of the visit that began last.
  private var begun: Timestamp?
  /// How long after its time the contact that began last did; nil unless it was a planned visit that had not begun
  /// before.
  private(set) var lateness: Duration?

  /// What contacts go by.
  struct Circumstances: Hashable, Sendable {
    var schedule: Schedule
    var log: StoredLogState
    /// Since when the battery is low; nil where it is not.
    var lowSince: Timestamp?
    /// Whether the link is held, and no contact is a visit.
    var keepsConnection: Bool
    var now: Timestamp
    /// The site's clocks.
    var zone = TimeZoneRules.utc
    /// What is read of a held board.
    var polls: [Poll] = []
    /// Why there is no link, in a sentence.
    var obstacle: String?

    /// Something that is read of a board whenever it is due.
    struct Poll: Hashable, Sendable {
      var name: String
      var rule: ScheduleRule
      /// When it was read last; nil = never.
      var last: Timestamp?
    }

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
        retry: retry.next, lowSince: given.lowSince, hasLog: given.log.estimate != nil),
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
    missed[.contact] = nil
    if retry.next == nil { retry.visited() }
    return true
  }

}

// What did not come about.
extension ContactSchedule {
  /// Something that was due of a board.
  private struct Deadline {
    enum Purpose: Hashable {
      case contact
      case poll(String)
    }
    var purpose: Purpose
    var due: Timestamp
    /// From when on it is missed.
    var end: Timestamp
  }

  /// What is due of a board without a link, and was not reported: the contact, and of a held board what is read.
  /// Nothing is missed that was never done.
  private func deadlines(_ given: Circumstances) -> [Deadline] {
    var all: [Deadline] = []
    let isContact = !given.keepsConnection || given.schedule.visit.download && given.log.estimate != nil
    if isContact, given.log.lastContact != nil, let due = due(given) {
      all.append(Deadline(purpose: .contact, due: due, end: due + given.schedule.tolerance()))
    }
    for poll in given.polls where given.keepsConnection && poll.last != nil {
      let due = poll.rule.due(after: poll.last, now: given.now, in: given.zone, of: given.schedule.who)
      guard let due else { continue }
      all.append(Deadline(purpose: .poll(poll.name), due: due, end: due + Schedule.leastPause))
    }
    return all.filter { missed[$0.purpose] != $0.due }
  }

  /// When the next of it counts as missed.
  func nextMissed(_ given: Circumstances) -> Timestamp? { deadlines(given).map(\.end).min() }

  /// What was due and did not come about; each is reported once, until it is made up for (MQTT contract 5, fault F187).
  mutating func takeMissed(_ given: Circumstances) -> [EventDraft] {
    deadlines(given).filter { $0.end <= given.now }.map { deadline in
      missed[deadline.purpose] = deadline.due
      var poll: String?
      if case .poll(let name) = deadline.purpose { poll = name }
      return .missed(poll: poll, due: deadline.due, now: given.now, because: given.obstacle)
    }
  }
}

extension EventDraft {
  /// A contact, or the reading of `poll`, that was due did not come about.
  static func missed(poll: String?, due: Timestamp, now: Timestamp, because obstacle: String?) -> EventDraft {
    let late = max(0, (now - due).inSeconds)
    var fields: JSONObject = [
      "due_ms": .integer(due.milliseconds), "late_s": .number((late * 10).rounded() / 10),
    ]
    fields["poll"] = poll.map { .string($0) }
    return EventDraft(.contactMissed, "missed", fields: fields, message: obstacle)
  }
}
