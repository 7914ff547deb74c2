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
  /// No command waits, or changes the board's setup.
  var isIdle: Bool { commands.count == 0 && setup.changesUnderWay == 0 }

  /// The uptime at a time to come; nil for one that is over.
  func uptime(of time: Timestamp?) -> Duration? {
    time.flatMap { $0 > now ? uptime + ($0 - now) : nil }
  }

  /// What contacts go by.
  var circumstances: ContactSchedule.Circumstances {
    ContactSchedule.Circumstances(
      schedule: Schedule(
        board: board, visit: setup.desired.profile.visit, readPeriod: desiredSetup.readPeriod,
        battery: desiredSetup.keepsConnection ? .never : environment.configuration.schedules.battery),
      log: log, batteryPercent: state.battery.percent, keepsConnection: desiredSetup.keepsConnection,
      now: now, zone: environment.configuration.timeZone,
      batteryPolls: environment.configuration.schedules.battery, lastBattery: state.battery.time)
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
