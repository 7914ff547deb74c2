import FleetModel
import Testing

@testable import Fleet

/// When boards are visited, and what each contact is for.
@Suite struct ContactScheduleTests {
  private static func given(
    keepsConnection: Bool = false, last: Timestamp? = .at(0), now: Timestamp = .at(0),
    every: Duration? = .seconds(600)
  ) -> ContactSchedule.Circumstances {
    var visit = VisitPolicy()
    (visit.every, visit.jitter) = (every.map { .every($0) }, 0)
    var log = StoredLogState()
    log.lastContact = last
    return ContactSchedule.Circumstances(
      schedule: Schedule(board: .number(1), visit: visit, battery: .never), log: log,
      keepsConnection: keepsConnection, now: now)
  }

  private static func ordersApplied() -> ContactSchedule {
    var book = ContactSchedule()
    book.isSetupPending = false
    return book
  }

  @Test func `a board is called when it is due, waited for, or owed something`() {
    let book = Self.ordersApplied()
    let pause = book.pause(Self.given(), isWaitedFor: false)
    #expect(!pause.isNow && pause.until == .at(600_000))
    #expect(book.pause(Self.given(now: .at(600_000)), isWaitedFor: false).isNow)
    #expect(book.pause(Self.given(), isWaitedFor: true).isNow)
    #expect(book.pause(Self.given(keepsConnection: true), isWaitedFor: false).isNow)
    #expect(ContactSchedule().pause(Self.given(), isWaitedFor: false).isNow)
  }

  @Test func `what a link is for decides who is connected first`() {
    let book = Self.ordersApplied()
    #expect(book.purpose(Self.given(), isWaitedFor: true) == .command)
    #expect(book.purpose(Self.given(keepsConnection: true), isWaitedFor: false) == .stream)
    #expect(book.purpose(Self.given(), isWaitedFor: false) == .poll)
    var logs = Self.given()
    logs.log.estimate = LogEstimate(entries: 1, capacity: 9, isLogging: true, time: .at(0), rate: nil)
    #expect(book.purpose(logs, isWaitedFor: false) == .download)
  }

  @Test func `a link gets one agenda at a time, a visit once`() {
    var book = Self.ordersApplied()
    book.linkBegan()
    let busy = book.begin(Self.given(), isIdle: false, hasLog: false)
    let first = book.begin(Self.given(), isIdle: true, hasLog: false)
    let second = book.begin(Self.given(), isIdle: true, hasLog: false)
    #expect(busy == nil && first != nil && second == nil)
    let wasDue = book.done()
    // Only the way out is left to do.
    let rest = book.begin(Self.given(), isIdle: true, hasLog: false)
    #expect(!wasDue && rest == VisitAgenda([.leave]))
  }

  @Test func `how late a visit began is told once for each that was planned`() {
    var book = Self.ordersApplied()
    book.linkBegan()
    _ = book.begin(Self.given(now: .at(0)), isIdle: true, hasLog: false)
    #expect(book.lateness == nil, "not due")
    book.linkBegan()
    _ = book.begin(Self.given(now: .at(607_000)), isIdle: false, hasLog: false)
    #expect(book.lateness == .seconds(7))
    // The link broke: the same visit begins once more.
    book.linkBegan()
    _ = book.begin(Self.given(now: .at(650_000)), isIdle: false, hasLog: false)
    #expect(book.lateness == nil)
    book.linkBegan()
    _ = book.begin(Self.given(last: .at(660_000), now: .at(1_260_000)), isIdle: false, hasLog: false)
    #expect(book.lateness == .zero)
    book.linkBegan()
    _ = book.begin(Self.given(last: nil, now: .at(1_300_000)), isIdle: false, hasLog: false)
    #expect(book.lateness == nil, "never visited")
  }

  @Test func `a due contact is done when its agenda is`() {
    var book = Self.ordersApplied()
    let due = Self.given(now: .at(600_000))
    book.linkBegan()
    let agenda = book.begin(due, isIdle: false, hasLog: true)
    let wasDue = book.done()
    #expect(agenda != nil && wasDue && !book.isUnderWay)
    let again = book.done()
    #expect(!again)
  }

  @Test func `a contact that did not come about is told once`() {
    var book = Self.ordersApplied()
    let early = book.late(Self.given(now: .at(630_000)))
    #expect(early == nil)
    let late = book.late(Self.given(now: .at(661_000)))
    #expect(
      late
        == EventDraft(
          .contactMissed, "missed",
          fields: ["due_ms": .integer(Timestamp.at(600_000).milliseconds), "late_s": 61.0]))
    let again = book.late(Self.given(now: .at(690_000)))
    #expect(again == nil)
    var never = Self.ordersApplied()
    let first = never.late(Self.given(last: nil, now: .at(9_000_000)))
    #expect(first == nil)
  }

  @Test func `a board that is connected anyway has done what would be due soon, but no time of day`() {
    var visit = VisitPolicy()
    visit.every = .daily(minute: 1_260)
    // 20:40:34, and 21:00 next.
    var daily = Self.given(last: .at(-3_600_000), now: .at(1_100_000))
    daily.schedule.visit = visit
    for (given, isDone) in [
      (Self.given(now: .at(545_000)), true), (Self.given(now: .at(535_000)), false), (daily, false),
    ] {
      var book = Self.ordersApplied()
      book.linkBegan()
      let agenda = book.begin(given, isIdle: true, hasLog: false)
      let wasDue = book.done()
      #expect(agenda != nil && wasDue == isDone)
    }
  }

  @Test func `F187 a poll of a held board whose link is away is missed once, until it is made up for`() {
    var book = Self.ordersApplied()
    var given = Self.given(keepsConnection: true, now: .at(959_000))
    (given.batteryPolls, given.lastBattery) = (.every(.seconds(900)), .at(0))
    let early = book.latePoll(given)
    #expect(!early && book.missedPoll(given) == .at(960_000))
    given.now = .at(960_000)
    let first = book.latePoll(given)
    let again = book.latePoll(given)
    #expect(first && !again && book.missedPoll(given) == nil)
    (given.lastBattery, given.now) = (.at(1_000_000), .at(1_960_000))
    let next = book.latePoll(given)
    #expect(next)
    given.keepsConnection = false
    given.now = .at(9_000_000)
    let visited = book.latePoll(given)
    #expect(!visited, "visits are told otherwise")
  }
}
