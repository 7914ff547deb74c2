import BoardKit
import FleetModel
import Storage

/// What a supervisor knows of the contacts with its board while the daemon runs.
struct ContactBook: Hashable, Sendable {
  /// Downloads that fell short.
  var retry = LogRetry()
  /// Whether something is wanted of the board that it was not told yet.
  var isSetupPending = true
  /// Whether a contact's agenda is under way, and whether the contact was due.
  var isUnderWay = false
  var isDue = false
  /// Whether the link has had its agenda.
  var isVisited = false
  /// The due time that was told as missed.
  var missed: Timestamp?
}

/// Contacts with the board: when, and what for.
extension BoardSupervisor {
  private var schedule: Schedule {
    Schedule(
      board: board, visit: desired.profile.visit,
      readPeriod: wishes.readPeriod,
      watchesBattery: !isHeld && environment.configuration.schedules.battery != .never)
  }

  /// When the next contact is due; nil = none by itself.
  var nextDue: Timestamp? {
    schedule.due(
      Schedule.Facts(
        lastContact: logMemory.lastContact, logLimit: logMemory.estimate?.reaches(LogEstimate.limit),
        retry: contacts.retry.next, batteryPercent: state.battery.percent),
      now: now, offset: environment.timekeeper.offsetFromUTC(at: now))
  }

  /// How long to wait before the board is called: nil = not at all; a held link is always wanted.
  var pauseBeforeContact: (isNow: Bool, until: Duration?) {
    if isHeld || contacts.isSetupPending || linkWaiters.contains(where: { !$0.isPatient })
      || rebootWaiter != nil
    {
      return (true, nil)
    }
    guard let due = nextDue else { return (false, nil) }
    return due <= now ? (true, nil) : (false, uptime + (due - now))
  }

  /// What a link is wanted for.
  var contactPurpose: AirtimePlan.Purpose {
    if linkWaiters.contains(where: { !$0.isPatient }) || rebootWaiter != nil { return .command }
    if isHeld { return .stream }
    return desired.profile.visit.download && logMemory.estimate != nil ? .download : .poll
  }

  /// How long silence is fine, where the profile does not say it.
  var standardWindow: Duration {
    if isHeld { return .seconds(60) }
    return max(.seconds(600), (schedule.period ?? Schedule.longestPause) * 2)
  }

  /// Gives a link its agenda when it is time. Returns when that may be.
  func tendContact() async -> Duration? {
    if let late = lateContact() { await late.tell(self) }
    let due = nextDue
    guard let session, isSettled, !contacts.isUnderWay else { return wake(at: due) }
    let isDue = due.map { $0 <= now } ?? false
    let isVisit = !isHeld
    guard isDue || isVisit && commandsWaiting == 0 && setupChanges == 0 else { return wake(at: due) }
    (contacts.isUnderWay, contacts.isDue) = (true, isDue)
    let downloads = isDue && desired.profile.visit.download && contacts.retry.allows(at: now)
    var agenda = VisitAgenda(
      isDue: isDue, isVisit: isVisit && !contacts.isVisited,
      hasLog: !wantedLogs.isEmpty || logMemory.estimate != nil,
      downloads: downloads)
    agenda.add(VisitAgenda([.leave]))
    await session.order(agenda)
    return nil
  }

  func wake(at due: Timestamp?) -> Duration? {
    guard let due, due > now else { return nil }
    return uptime + (due - now)
  }

  /// The contact has done what it was for.
  func contactDone() async {
    contacts.isUnderWay = false
    contacts.isVisited = true
    if contacts.isDue {
      logMemory.lastContact = Timestamp(milliseconds: now.milliseconds)
      contacts.missed = nil
      if contacts.retry.next == nil { contacts.retry.visited() }
      await rememberOverlay()
    }
    contacts.isDue = false
    // Whoever has a command under way, or changes the board, is not left.
    guard !isHeld, commandsWaiting == 0, setupChanges == 0, !contacts.isSetupPending else { return }
    isSessionReady = false
    await session?.close()
  }

  /// A contact that was due and did not come about is told once (MQTT contract 5).
  private func lateContact() -> LateContact? {
    guard !isHeld, session == nil, logMemory.lastContact != nil, let due = nextDue, contacts.missed != due,
      now - due >= schedule.tolerance()
    else { return nil }
    contacts.missed = due
    return LateContact(due: due, late: now - due)
  }

  private struct LateContact {
    var due: Timestamp
    var late: Duration

    func tell(_ supervisor: isolated BoardSupervisor) async {
      await supervisor.tell(
        .contactMissed, "missed",
        fields: [
          "due_ms": .integer(due.milliseconds), "late_s": .number((late.inSeconds * 10).rounded() / 10),
        ])
    }
  }
}
