import BoardKit
import FleetModel

/// How a board is, as its retained documents and events publish it (MQTT contract 1.1 to 1.4). Pure.
struct BoardStatus: Sendable {
  var state: BoardState
  /// What its availability is judged by.
  var facts: AvailabilityRule.Facts
  private(set) var availability: Availability?
  var identity: BoardIdentity
  /// What it does on the link it has.
  var activity = BoardActivity()
  private(set) var led: LEDState?
  private(set) var firmware: BoardFirmware
  /// Whether its battery is low.
  private(set) var battery = BatteryWatch()
  /// What the LED last showed, for who only wants to change a part of it.
  private(set) var lastAppearance: LEDAppearance?
  /// How far times of what it logs can be off, milliseconds.
  var clockError: Double?
  private var throttle = StateThrottle()
  private var pressedSince: Timestamp?
  /// When the pause that is published ends, by uptime.
  private var pauseEnd: Duration?
  private var lastDay = LastDay()
  private(set) var incidents = Incidents()

  /// What is counted over 24 hours.
  private struct LastDay: Sendable {
    var sessions = RollingCount()
    var sessionFailures = RollingCount()
    var linksLost = RollingCount()
    var samplesLost = RollingCount()
  }

  /// What nobody ordered, counted since the gateway began.
  struct Incidents: Sendable {
    /// Connections that were lost, or that failed.
    var linkFailures = 0
    var unexpectedResets = 0
  }

  /// What the LED of a board shows, and what is known of resets and of firmware, come from earlier runs.
  init(
    board: BoardID, identity: BoardIdentity, led: LEDState?, boot: Int?, at now: Timestamp, uptime: Duration,
    firmware: BoardFirmware? = nil
  ) {
    state = BoardState(board: board, link: .unseen, time: now)
    facts = AvailabilityRule.Facts(watchedSince: uptime)
    (self.identity, self.led, lastAppearance) = (identity, led, led?.appearance)
    self.firmware = firmware ?? BoardFirmware()
    self.identity.isHardwareListed = firmware?.isHardwareListed
    state.clock.boot = boot
    state.identity.firmware = identity.description?.firmwareRevision
  }

  // What happens.

  /// The board was heard.
  mutating func advertised(_ report: AdvertisementReport, isBootloader: Bool, uptime: Duration) {
    state.contact.lastSeen = report.time
    facts.lastSeen = uptime
    facts.isBootloader = isBootloader
    facts.isAsleep = false
  }

  /// A packet came, at `time`.
  mutating func packetCame(at time: Timestamp, uptime: Duration) {
    state.contact.lastSeen = time
    facts.lastSeen = uptime
  }

  /// It answered who it is, behind so many resets.
  mutating func answered(_ description: BoardDescription, boot: Int, at now: Timestamp, uptime: Duration) {
    packetCame(at: now, uptime: uptime)
    facts.isAnswering = true
    facts.isUnreachable = false
    facts.isBootloader = false
    facts.isAsleep = false
    facts.mismatch = nil
    lastDay.sessions.add(at: uptime)
    identity.description = description
    identity.interviewed = now
    state.identity.firmware = description.firmwareRevision
    state.clock.boot = boot
  }

  /// A link is up, and nothing came on it yet.
  mutating func linkBegan() { facts.isAnswering = false }

  /// The link is over.
  mutating func linkEnded(wasAnswered: Bool, at now: Timestamp, uptime: Duration) {
    facts.isAnswering = false
    activity = BoardActivity()
    guard wasAnswered else { return sessionFailed(at: uptime) }
    facts.lastSession = uptime
    facts.lastSeen = uptime
    state.contact.lastSession = now
  }

  mutating func sessionFailed(at uptime: Duration) {
    lastDay.sessionFailures.add(at: uptime)
    incidents.linkFailures += 1
  }

  /// A link on which the board had answered ended, and nobody had ordered that.
  mutating func linkLost(at uptime: Duration) {
    lastDay.linksLost.add(at: uptime)
    incidents.linkFailures += 1
  }

  /// The board restarted by itself.
  mutating func resetUnexpectedly() { incidents.unexpectedResets += 1 }

  /// Connections that were lost or failed in the last 24 hours.
  func linkFailures(at uptime: Duration) -> Int {
    lastDay.sessionFailures.value(at: uptime) + lastDay.linksLost.value(at: uptime)
  }

  mutating func lost(_ samples: Int, at uptime: Duration) { lastDay.samplesLost.add(samples, at: uptime) }

  /// The battery was read. Returns what is published when it becomes low (MQTT contract 5).
  mutating func battery(_ percent: Int, _ millivolts: Int, at time: Timestamp) -> EventDraft? {
    state.battery.percent = percent
    state.battery.millivolts = millivolts
    state.battery.time = time
    guard let level = battery.take(percent, at: time) else { return nil }
    return EventDraft(
      .lowBattery, level.rawValue,
      fields: ["battery_pct": .integer(Int64(percent)), "battery_mv": .integer(Int64(millivolts))])
  }

  mutating func button(isPressed: Bool, at time: Timestamp) -> EventDraft {
    var fields = JSONObject()
    if isPressed {
      pressedSince = time
    } else if let pressedSince {
      fields["held_ms"] = .integer((time - pressedSince).wholeMilliseconds)
      self.pressedSince = nil
    }
    return EventDraft(.button, isPressed ? "press" : "release", fields: fields, at: time)
  }

  /// Takes what the LED shows. Returns whether that is something else.
  mutating func show(_ new: LEDState) -> Bool {
    guard led?.appearance != new.appearance || led?.until != new.until || led == nil else { return false }
    led = new
    if let appearance = new.appearance { lastAppearance = appearance }
    return true
  }

  /// Takes what is known of newer firmware.
  mutating func take(_ report: FirmwareReport) -> BoardFirmware.Change {
    let change = firmware.take(report)
    identity.isHardwareListed = firmware.isHardwareListed
    return change
  }

  /// Takes how far an update has come. Returns whether that is to be published.
  mutating func take(_ progress: FirmwareReport.Progress) -> Bool {
    // While firmware is fetched the board does what it did.
    facts.isUpdating = progress.isActive && progress.stage != .fetching
    return firmware.take(progress)
  }

  /// The board answered in its bootloader.
  mutating func answered(_ bootloader: BootloaderDescription, uptime: Duration) {
    facts.lastSeen = uptime
    firmware.found(bootloader)
  }

  /// The fields of an event of the board: in maintenance all say so.
  func marked(_ fields: JSONObject) -> JSONObject {
    guard state.orders.maintenance != nil else { return fields }
    return fields.merging(["maintenance": true])
  }

  /// When the LED goes out by itself.
  var ledEnds: Timestamp? { led?.appearance == nil ? nil : led?.until }

  // What is published.

  /// Brings the state to what is so now. `estimate` is that of the log.
  mutating func refresh(
    _ phaseRule: LinkPhaseRule, _ estimate: LogEstimate?, troubles: [StreamTrouble], at now: Timestamp,
    uptime: Duration
  ) {
    let before = state.reason?.code
    (state.link, state.reason) = phaseRule.judge(at: uptime)
    if state.reason?.code != before { state.hindrance.since = state.reason == nil ? nil : now }
    notePause(phaseRule, at: now, uptime: uptime)
    state.time = now
    state.troubles = activity.troubles + troubles
    state.identity.doubt = identity.doubt
    state.lastDay.sessions = lastDay.sessions.value(at: uptime)
    state.lastDay.sessionFailures = lastDay.sessionFailures.value(at: uptime)
    state.lastDay.samplesLost = lastDay.samplesLost.value(at: uptime)
    state.log.entries = estimate?.entries
    state.log.usedPercent = estimate.map { ($0.usedPercent(at: now) * 10).rounded() / 10 }
    state.log.full = estimate?.full
    state.clock.error =
      activity.streams.isEmpty ? clockError : ClockQuality.arrival.errorMilliseconds
  }

  /// A back-off that is shorter is over before anybody wonders.
  private static let shortPause = Duration.seconds(30)

  /// Until when no connection is tried. The end is said once for each pause, whatever the clock does.
  private mutating func notePause(_ phaseRule: LinkPhaseRule, at now: Timestamp, uptime: Duration) {
    let end = phaseRule.pauseEnd(state.reason?.code)
    guard end != pauseEnd else { return }
    if case .backingOff = phaseRule.connection, let end, end - uptime < Self.shortPause {
      (state.hindrance.until, pauseEnd) = (nil, nil)
      return
    }
    (state.hindrance.until, pauseEnd) = (end.map { now + ($0 - uptime) }, end)
  }

  /// When the pause that is published ends, by uptime; nil where none is or it is over.
  func pauseEnd(after uptime: Duration) -> Duration? { pauseEnd.flatMap { $0 > uptime ? $0 : nil } }

  /// When silence becomes suspicious; of no interest while there is a link.
  mutating func expect(_ next: Timestamp?) { state.contact.next = state.link.isConnected ? nil : next }

  /// Whether the state goes out now, and if not, when to ask again.
  mutating func offerState(at uptime: Duration) -> (isDue: Bool, next: Duration?) {
    throttle.offer(state, isOnline: availability?.state == .online, at: uptime)
  }

  /// Whether the last state that went out counts otherwise in health than the one before.
  var isCountedAnew: Bool { throttle.isCountedAnew }

  /// Takes the state as the last one that is published. Returns whether it says anything else than the one before.
  mutating func stopped() -> Bool { throttle.finish(state) }

  /// The availability, where it is another one by now, and which it was; and when it may change by itself.
  mutating func judgeAvailability(
    _ window: Duration, at now: Timestamp, uptime: Duration
  ) -> (changed: Availability?, before: Availability?, next: Duration?) {
    let before = availability
    let (reason, until) = AvailabilityRule(window: window).judge(facts, at: uptime)
    guard before?.reason != reason else { return (nil, before, until) }
    availability = Availability(reason: reason, since: now)
    return (availability, before, until)
  }

  /// All retained documents as they were last published.
  var retainedDocuments: [FleetEvent] {
    var events: [FleetEvent] = []
    if let info = identity.info { events.append(.info(info)) }
    if let availability { events.append(.availability(state.board, availability)) }
    if let state = throttle.last { events.append(.state(state)) }
    if let led { events.append(.led(state.board, led)) }
    if let firmware = firmware.report { events.append(.firmware(firmware)) }
    return events
  }
}
