import FleetModel
import Testing

@testable import Fleet

/// When boards are visited (MQTT contract 7.3, 7.4).
@Suite struct ScheduleTests {
  private static let hour = Duration.seconds(3_600)

  private func schedule(
    _ number: Int = 1, every: Duration? = ScheduleTests.hour, jitter: Double = 0, hours: [HoursOfDay] = [],
    reads: Duration? = nil, watchesBattery: Bool = true
  ) -> Schedule {
    var visit = VisitPolicy()
    (visit.every, visit.jitter, visit.hours) = (every, jitter, hours)
    return Schedule(
      board: .number(number), visit: visit, readPeriod: reads, watchesBattery: watchesBattery)
  }

  private func due(_ schedule: Schedule, _ facts: Schedule.Facts, now: Timestamp = .at(0)) -> Timestamp? {
    schedule.due(facts, now: now, offset: .zero)
  }

  @Test func `a board that was never visited is due now`() { #expect(due(schedule(), .init()) == .at(0)) }

  @Test func `the next visit is a period away`() {
    #expect(due(schedule(), .init(lastContact: .at(0))) == .at(3_600_000))
    #expect(due(schedule(every: nil, watchesBattery: false), .init(lastContact: .at(0))) == nil)
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

  @Test func `F51 a low battery brings the download forward`() {
    #expect(due(schedule(), .init(lastContact: .at(0), batteryPercent: 20)) == .at(1_800_000))
    #expect(due(schedule(), .init(lastContact: .at(0), batteryPercent: 21)) == .at(3_600_000))
  }

  @Test func `a retry comes first`() {
    #expect(due(schedule(), .init(lastContact: .at(0), retry: .at(30_000))) == .at(30_000))
    #expect(due(schedule(every: nil, watchesBattery: false), .init(retry: .at(30_000))) == .at(30_000))
  }

  @Test func `outside the hours of visits a board waits for their beginning, in the host's time`() throws {
    // 2025-11-20 20:40:34 UTC.
    let day = schedule(hours: [HoursOfDay(start: 480, end: 1_080)])
    let next = try #require(due(day, .init(lastContact: .at(-3_600_000))))
    #expect(next == Timestamp(milliseconds: 1_763_712_000_000), "08:00 of the next day")
    let zone = Duration.seconds(-7_200)
    let west = try #require(
      day.due(.init(lastContact: .at(-3_600_000 - 3 * 3_600_000)), now: .at(0), offset: zone))
    #expect(west == .at(-3 * 3_600_000), "15:40 there")
    let night = schedule(hours: [HoursOfDay(start: 1_320, end: 360)])
    #expect(due(night, .init(lastContact: .at(-3_600_000))) == Timestamp(milliseconds: 1_763_676_000_000))
  }

  @Test func `a visit that is late is missed`() {
    #expect(schedule(jitter: 10).tolerance() == .seconds(360))
    #expect(schedule(every: .seconds(60)).tolerance() == .seconds(60))
  }
}
