import FleetModel
import Support
import Testing

@testable import Fleet

/// When boards are visited (MQTT contract 7.3, 7.4).
@Suite struct ScheduleTests {
  private static let hour = Duration.seconds(3_600)

  private func schedule(
    _ number: Int = 1, every: Duration? = ScheduleTests.hour, jitter: Double = 0, hours: [HoursOfDay] = [],
    reads: Duration? = nil, battery: ScheduleRule = .every(.seconds(900))
  ) -> Schedule {
    var visit = VisitPolicy()
    (visit.every, visit.jitter, visit.hours) = (every.map { .every($0) }, jitter, hours)
    return Schedule(
      board: .number(number), visit: visit, reads: reads.map { .every($0) } ?? .never, battery: battery)
  }

  private func due(_ schedule: Schedule, _ facts: Schedule.Facts, now: Timestamp = .at(0)) -> Timestamp? {
    schedule.due(facts, now: now, in: .utc)
  }

  @Test func `a board that was never visited is due now`() { #expect(due(schedule(), .init()) == .at(0)) }

  @Test func `the next visit is a period away`() {
    #expect(due(schedule(), .init(lastContact: .at(0))) == .at(3_600_000))
    #expect(due(schedule(every: nil, battery: .never), .init(lastContact: .at(0))) == nil)
    #expect(due(schedule(every: nil), .init(lastContact: .at(0))) == .at(86_400_000))
    #expect(due(schedule(every: nil, reads: .seconds(300)), .init(lastContact: .at(0))) == .at(300_000))
  }

  @Test func `visits spread by the jitter, each board otherwise, and the same after a restart`() throws {
    let times = (1...200).compactMap {
      due(schedule($0, jitter: 10), .init(lastContact: .at(0)))?.milliseconds
    }
    let offsets = times.map { Double($0 - Timestamp.at(3_600_000).milliseconds) / 360_000 }
    #expect(offsets.allSatisfy { abs($0) <= 1 })
    #expect((offsets.max() ?? 0) > 0.9 && (offsets.min() ?? 0) < -0.9)
    #expect(abs(offsets.reduce(0, +) / 200) < 0.1)
    #expect(
      due(schedule(7, jitter: 10), .init(lastContact: .at(0)))
        == due(schedule(7, jitter: 10), .init(lastContact: .at(0)), now: .at(99)))
  }

  @Test func `F42 a board whose flash runs full is visited before`() {
    let facts = Schedule.Facts(lastContact: .at(0), logLimit: .at(1_200_000))
    #expect(due(schedule(), facts) == .at(1_200_000))
    #expect(
      due(schedule(), .init(lastContact: .at(0), logLimit: .at(1))) == .at(60_000), "but not all the time")
    var unread = schedule()
    unread.visit.download = false
    #expect(due(unread, facts) == .at(3_600_000))
  }

  @Test func `F51 a low battery brings the download forward: at once, and then twice as often`() {
    var facts = Schedule.Facts(lastContact: .at(0), lowSince: .at(60_000), hasLog: true)
    #expect(due(schedule(), facts) == .at(60_000))
    facts.lastContact = .at(61_000)
    #expect(due(schedule(), facts, now: .at(61_000)) == .at(61_000 + 1_800_000))
    facts.lowSince = nil
    #expect(due(schedule(), facts, now: .at(61_000)) == .at(61_000 + 3_600_000))
  }

  @Test func `F51 without a log, or where none is downloaded, a low battery brings no contact of its own`() {
    let empty = Schedule.Facts(lastContact: .at(0), lowSince: .at(60_000))
    #expect(due(schedule(), empty) == .at(1_800_000))
    var unread = schedule()
    unread.visit.download = false
    let facts = Schedule.Facts(lastContact: .at(0), lowSince: .at(60_000), hasLog: true)
    #expect(due(unread, facts) == .at(1_800_000))
  }

  @Test func `a retry comes first`() {
    #expect(due(schedule(), .init(lastContact: .at(0), retry: .at(30_000))) == .at(30_000))
    #expect(due(schedule(every: nil, battery: .never), .init(retry: .at(30_000))) == .at(30_000))
  }

  @Test func `outside the hours of visits a board waits for their beginning, by the site's clocks`() throws {
    // 2025-11-20 20:40:34 UTC.
    let day = schedule(hours: [HoursOfDay(start: 480, end: 1_080)])
    let next = try #require(due(day, .init(lastContact: .at(-3_600_000))))
    #expect(next == Timestamp(milliseconds: 1_763_712_000_000), "08:00 of the next day")
    let zone = TimeZoneRules(.seconds(-7_200))
    let last = Schedule.Facts(lastContact: .at(-4 * 3_600_000))
    let west = try #require(day.due(last, now: .at(-3 * 3_600_000), in: zone))
    #expect(west == .at(-3 * 3_600_000), "15:40 there")
    let night = schedule(hours: [HoursOfDay(start: 1_320, end: 360)])
    #expect(due(night, .init(lastContact: .at(-3_600_000))) == Timestamp(milliseconds: 1_763_676_000_000))
  }

  @Test func `a visit that is late is missed`() {
    #expect(schedule(jitter: 10).tolerance() == .seconds(360))
    #expect(schedule(every: .seconds(60)).tolerance() == .seconds(60))
  }

  /// Visits by a rule, and nothing else.
  private func visits(
    _ rule: ScheduleRule, _ number: Int = 1, jitter: Double = 0, hours: [HoursOfDay] = []
  ) -> Schedule {
    var schedule = schedule(number, every: nil, jitter: jitter, hours: hours, battery: .never)
    schedule.visit.every = rule
    return schedule
  }

  /// 03:00 of the day after `.at(0)`.
  private static let three = Zones.utc(2025, 11, 21, 3)

  @Test func `visits at a time of day spread behind it, each board at its own place, on all days`() throws {
    let rule = ScheduleRule.daily(minute: 180)
    let places = (1...200).compactMap { due(visits(rule, $0, jitter: 50), .init(lastContact: .at(0))) }
      .map { ($0 - Self.three).inSeconds }
    #expect(places.count == 200 && places.allSatisfy { (0...1_800).contains($0) })
    #expect((places.max() ?? 0) > 1_500 && (places.min() ?? 1_800) < 300)
    let first = try #require(due(visits(rule, 7, jitter: 50), .init(lastContact: .at(0))))
    #expect(due(visits(rule, 7, jitter: 50), .init(lastContact: first)) == first + .seconds(86_400))
  }

  @Test func `F185 visits go by the site's clocks, in nights in which they are put forward, too`() {
    let saturday = Zones.utc(2026, 3, 28, 18)
    let daily = visits(.daily(minute: 150))
    #expect(
      daily.due(.init(lastContact: saturday), now: saturday, in: Zones.berlin) == Zones.utc(2026, 3, 29, 1))
    let day = visits(.every(Self.hour), hours: [HoursOfDay(start: 480, end: 1_080)])
    #expect(
      day.due(.init(lastContact: saturday), now: saturday, in: Zones.berlin) == Zones.utc(2026, 3, 29, 6))
    let friday = saturday - .seconds(86_400)
    #expect(
      day.due(.init(lastContact: friday), now: friday, in: Zones.berlin) == Zones.utc(2026, 3, 28, 7))
  }

  @Test func `boards that wait for the hours of visits do not come all at once`() {
    let hours = [HoursOfDay(start: 480, end: 1_080)]
    let times = (1...50).compactMap {
      due(visits(.every(Self.hour), $0, jitter: 50, hours: hours), .init(lastContact: .at(0)))
    }
    #expect(Set(times).count > 40)
    #expect(times.allSatisfy { $0 >= Zones.utc(2025, 11, 21, 8) && $0 < Zones.utc(2025, 11, 21, 8, 30) })
    // A time of day that lies outside waits, too; hours that are shorter than the spread are kept.
    let daily = visits(.daily(minute: 180), 7, jitter: 100, hours: [HoursOfDay(start: 480, end: 481)])
    let next = due(daily, .init(lastContact: .at(0))).map { ($0 - Zones.utc(2025, 11, 21, 8)).inSeconds }
    #expect(next.map { (0..<60).contains($0) } == true)
  }

  @Test func `F51 a low battery brings a visit that is due at a time of day forward, too`() {
    let daily = visits(.daily(minute: 180))
    #expect(
      due(daily, .init(lastContact: Self.three, lowSince: .at(0))) == Self.three + .seconds(43_200))
    #expect(due(daily, .init(lastContact: Self.three)) == Self.three + .seconds(86_400))
  }

  @Test func `a contact for the battery alone keeps to its times, and comes at most once a day`() {
    let last = Schedule.Facts(lastContact: Self.three + .seconds(300))
    let tomorrow = Self.three + .seconds(86_400)
    for rule in [ScheduleRule.daily(minute: 180), .any([.daily(minute: 180), .daily(minute: 540)])] {
      #expect(due(schedule(every: nil, battery: rule), last, now: Self.three) == tomorrow)
    }
    #expect(
      due(schedule(every: nil, battery: .weekly(weekday: 6, minute: 180)), last) == Self.three
        + .seconds(172_800))
    #expect(
      due(schedule(every: nil, battery: .every(.seconds(604_800))), .init(lastContact: .at(0)))
        == .at(604_800_000))
  }

  @Test func `F206 what was due in the hours of visits, and did not come about, waits for the next ones`() {
    let day = schedule(hours: [HoursOfDay(start: 480, end: 1_080)])
    // Due at 17:30; by 17:59 it still is, at 18:00 it waits for 08:00.
    let last = Schedule.Facts(lastContact: Zones.utc(2025, 11, 21, 16, 30))
    let due = Zones.utc(2025, 11, 21, 17, 30)
    #expect(self.due(day, last, now: Zones.utc(2025, 11, 21, 17, 59)) == due)
    #expect(self.due(day, last, now: Zones.utc(2025, 11, 21, 18)) == Zones.utc(2025, 11, 22, 8))
  }

  @Test func `F205 streams are read at times of day on contacts of their own, each board at its place`()
    throws
  {
    var board = schedule(every: nil, jitter: 50, battery: .never)
    board.reads = .any([.daily(minute: 180)])
    let first = try #require(due(board, .init(lastContact: .at(0))))
    #expect((0...1_800).contains((first - Self.three).inSeconds))
    #expect(due(board, .init(lastContact: first)) == first + .seconds(86_400))
    #expect(board.onContact.reads == board.reads, "a time of day is never taken early")
    board.reads = .every(.seconds(600))
    #expect(due(board, .init(lastContact: .at(0))) == .at(600_000), "an interval is kept as it is")
  }

  @Test func `F205 visits spread and keep to hours as their rule says, before what the profile says of all`()
  {
    let last = Schedule.Facts(lastContact: .at(0))
    let exact = visits(.limited(.every(Self.hour), ScheduleLimits(jitter: 0)), jitter: 50)
    #expect(due(exact, last) == .at(3_600_000))
    let spread = visits(.limited(.every(Self.hour), ScheduleLimits(jitter: 50)))
    #expect(due(spread, last) != .at(3_600_000) && spread.tolerance() == .seconds(1_800))
    let day = visits(
      .limited(.every(Self.hour), ScheduleLimits(hours: [HoursOfDay(start: 480, end: 1_080)])))
    #expect(due(day, last) == Zones.utc(2025, 11, 21, 8))
  }

  @Test func `F186 a clock that was set back leaves no board waiting`() {
    #expect(due(schedule(), .init(lastContact: .at(7_200_000))) == .at(0))
    #expect(due(visits(.daily(minute: 180)), .init(lastContact: .at(9 * 86_400_000))) == .at(0))
  }
}
