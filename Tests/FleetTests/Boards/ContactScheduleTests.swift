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
    let early = book.takeMissed(Self.given(now: .at(630_000)))
    #expect(early.isEmpty && book.nextMissed(Self.given(now: .at(630_000))) == .at(660_000))
    var given = Self.given(now: .at(661_000))
    given.obstacle = "no advertisements received yet"
    let late = book.takeMissed(given)
    #expect(
      late == [
        EventDraft(
          .contactMissed, "missed",
          fields: ["due_ms": .integer(Timestamp.at(600_000).milliseconds), "late_s": 61.0],
          message: "no advertisements received yet")
      ])
    let again = book.takeMissed(Self.given(now: .at(690_000)))
    #expect(again.isEmpty && book.nextMissed(Self.given(now: .at(690_000))) == nil)
    var never = Self.ordersApplied()
    let first = never.takeMissed(Self.given(last: nil, now: .at(9_000_000)))
    #expect(first.isEmpty)
  }

  @Test func `F187 the download of a held board that was due is missed, too; without a log there is none`() {
    var book = Self.ordersApplied()
    var given = Self.given(keepsConnection: true, now: .at(9_000_000))
    let none = book.takeMissed(given)
    given.log.estimate = LogEstimate(entries: 1, capacity: 9, isLogging: true, time: .at(0), rate: nil)
    let missed = book.takeMissed(given)
    #expect(none.isEmpty && missed.count == 1 && missed.first?.fields["poll"] == nil)
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
    typealias Poll = ContactSchedule.Circumstances.Poll
    var book = Self.ordersApplied()
    var given = Self.given(keepsConnection: true, now: .at(959_000))
    given.polls = [
      Poll(name: "battery", rule: .every(.seconds(900)), last: .at(0)),
      Poll(name: "temperature-die", rule: .every(.seconds(3_600)), last: .at(0)),
      Poll(name: "humidity", rule: .every(.seconds(60)), last: nil),
    ]
    let early = book.takeMissed(given)
    #expect(early.isEmpty && book.nextMissed(given) == .at(960_000))
    given.now = .at(960_000)
    let first = book.takeMissed(given)
    let again = book.takeMissed(given)
    #expect(
      first == [.missed(poll: "battery", due: .at(900_000), now: .at(960_000), because: nil)])
    #expect(first.first?.fields["poll"] == "battery" && first.first?.fields["late_s"] == 60.0)
    #expect(again.isEmpty && book.nextMissed(given) == .at(3_660_000))
    given.now = .at(3_660_000)
    let other = book.takeMissed(given)
    #expect(other.map { $0.fields["poll"] } == ["temperature-die"])
    given.polls[0].last = .at(4_000_000)
    given.now = .at(4_960_000)
    let next = book.takeMissed(given)
    #expect(next.map { $0.fields["poll"] } == ["battery"])
    given.keepsConnection = false
    given.now = .at(90_000_000)
    let visited = book.takeMissed(given)
    #expect(visited.map { $0.fields["poll"] } == [nil], "what visits read is told as the visit")
  }

  @Test func `F51 a low battery has the log downloaded at once, on the link that is there, too`() {
    for keepsConnection in [true, false] {
      var book = Self.ordersApplied()
      var given = Self.given(keepsConnection: keepsConnection, now: .at(60_000))
      given.log.estimate = LogEstimate(entries: 1, capacity: 9, isLogging: true, time: .at(0), rate: nil)
      book.linkBegan()
      let good = book.begin(given, isIdle: true, hasLog: true)
      let wasDue = book.done()
      given.lowSince = .at(59_000)
      var low = book.begin(given, isIdle: true, hasLog: true)
      var items: [VisitAgenda.Item] = []
      while let item = low?.next() { items.append(item) }
      #expect(!wasDue && (good == nil) == keepsConnection)
      #expect(items.contains(.download))
    }
  }
}
