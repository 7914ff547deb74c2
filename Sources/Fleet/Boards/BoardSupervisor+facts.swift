import BoardKit
import FleetModel

/// What a supervisor's values come to together.
extension BoardSupervisor {
  /// Its name for people, in the log.
  var name: String { status.identity.info?.name ?? board.address.colonSeparated }
  var isLinked: Bool { link.session != nil }
  var isRadioUsable: Bool { status.facts.radioTrouble == nil }
  /// Whether the link may be there: nobody let go of the board, or disabled it.
  var isWanted: Bool { !isRetired && !link.isDrained && setup.desired.isEnabled }
  /// Whether somebody waits for a link to its application.
  var isWaitedFor: Bool { commands.wantsLink || update?.wantsApplication == true }
  /// No command waits, or changes the board's setup.
  var isIdle: Bool { commands.count == 0 && setup.changesUnderWay == 0 }

  /// The uptime at a time to come; nil for one that is over.
  func uptime(of time: Timestamp?) -> Duration? {
    time.flatMap { $0 > now ? uptime + ($0 - now) : nil }
  }

  /// What contacts go by.
  var circumstances: ContactSchedule.Circumstances {
    let (desired, battery) = (desiredSetup, environment.configuration.schedules.battery)
    var schedule = Schedule(board: board, visit: setup.desired.profile.visit, battery: .never)
    if !desired.keepsConnection {
      (schedule.reads, schedule.battery) = (.any(Array(desired.reads.values)), battery)
    }
    return ContactSchedule.Circumstances(
      schedule: schedule, log: log, lowSince: status.battery.lowSince,
      keepsConnection: desired.keepsConnection, now: now, zone: environment.configuration.timeZone,
      polls: desired.keepsConnection ? polls(battery) : [], obstacle: state.reason?.sentence)
  }

  /// What is read of the board while it is held. What is read all the time is a stream, whose gaps are told.
  private func polls(_ battery: ScheduleRule) -> [ContactSchedule.Circumstances.Poll] {
    let streams = desiredSetup.reads.filter { !ConnectionModeRule.isFrequent($0.value) }.map { name, rule in
      ContactSchedule.Circumstances.Poll(name: name, rule: rule, last: link.ends.lastStamp[name])
    }
    return [.init(name: "battery", rule: battery, last: state.battery.time)]
      + streams.filter { $0.name != "battery" }
  }

  /// When the next contact is due; nil = none by itself.
  var nextDue: Timestamp? { contacts.due(circumstances) }

  /// When the board is expected; nil when nothing is planned, or it should have been here.
  var plannedContact: Timestamp? {
    guard !link.isReady, !desiredSetup.keepsConnection else { return nil }
    return nextDue.flatMap { $0 > now ? $0 : nil }
  }

  /// How long silence is fine.
  var availabilityWindow: Duration {
    setup.desired.profile.availabilityWindow ?? circumstances.standardWindow
  }

  /// Whether a board we want to connect to has not been heard for so long.
  func isSilent(for limit: Duration, at uptime: Duration) -> Bool {
    let (facts, isEnabled) = (status.facts, setup.desired.isEnabled)
    return isEnabled && !isLinked && uptime - (facts.lastSeen ?? facts.watchedSince) >= limit
  }

  /// Whether a packet came over a link on `adapter` within `span`.
  func hasDelivered(on adapter: AdapterID, within span: Duration) -> Bool {
    guard let session = link.session, session.link.adapter == adapter, status.facts.isAnswering else {
      return false
    }
    return status.facts.lastSeen.map { uptime - $0 < span } ?? false
  }
}
