import BoardKit
import FleetModel
import Support
import Testing

@testable import Fleet

@Suite struct FirmwareKnowledgeTests {
  private struct ToyIndex: FirmwareIndex {
    var latest = "2.0"

    func offer(for board: BoardDescription) -> FirmwareReport.Offer {
      FirmwareReport.Offer(latest: latest, build: "vanilla", hardware: "0.1", isHardwareListed: true)
    }
  }

  private static let failure = FirmwareCheckFailure("nobody answers")
  private static let minute: Int64 = 60_000

  private static let description = BoardDescription(
    model: "Toy", modelNumber: "1", manufacturer: "", serialNumber: "", hardwareRevision: "r0.1",
    firmwareRevision: "1.0", imu: nil, modules: [:], slots: .init(), streams: [])

  private static func index(_ latest: String = "2.0", at time: Timestamp, trouble: String? = nil)
    -> FetchedIndex
  {
    FetchedIndex(
      ToyIndex(latest: latest), from: .init(source: "https://example.org", fetched: time), trouble: trouble)
  }

  private static func report(_ knowledge: FirmwareKnowledge) -> FirmwareReport? {
    knowledge.report(on: .number(1), description, at: .at(99))
  }

  @Test func `nothing is told before anything is known`() {
    #expect(Self.report(FirmwareKnowledge()) == nil)
  }

  @Test func `what an index says is told, with where and when it was fetched`() throws {
    var knowledge = FirmwareKnowledge()
    let isTroubled = knowledge.checked(.success(Self.index(at: .at(5))), at: .at(5))
    #expect(isTroubled == nil)
    let report = try #require(Self.report(knowledge))
    #expect(report.installed == "1.0" && report.offer?.latest == "2.0" && report.isUpdateAvailable)
    #expect(report.index == .init(source: "https://example.org", fetched: .at(5)))
    #expect(report.checked == .at(5) && report.trouble == nil && report.time == .at(99))
    #expect(report.isCheckOK == true)
  }

  @Test func `F194 a failed check leaves the old index, and tells how old it is`() throws {
    var knowledge = FirmwareKnowledge(kept: Self.index(at: .at(5)))
    let first = knowledge.checked(.failure(Self.failure), at: .at(9))
    let second = knowledge.checked(.failure(Self.failure), at: .at(10))
    #expect(first == true && second == nil)
    let report = try #require(Self.report(knowledge))
    #expect(report.offer?.latest == "2.0" && report.index?.fetched == .at(5))
    #expect(report.checked == .at(10) && report.trouble == "nobody answers" && report.isCheckOK == false)
    let third = knowledge.checked(.success(Self.index("3.0", at: .at(11))), at: .at(11))
    #expect(third == false && Self.report(knowledge)?.offer?.latest == "3.0")
  }

  @Test func `a failed check without an index is told without an offer`() throws {
    var knowledge = FirmwareKnowledge()
    _ = knowledge.checked(.failure(Self.failure), at: .at(9))
    let report = try #require(Self.report(knowledge))
    #expect(report.offer == nil && report.index == nil && !report.isUpdateAvailable)
    #expect(!knowledge.hasIndex)
  }

  @Test func `an index that cannot be kept is used, and the trouble told`() {
    var knowledge = FirmwareKnowledge()
    let isTroubled = knowledge.checked(.success(Self.index(at: .at(5), trouble: "read-only")), at: .at(5))
    #expect(isTroubled == true && knowledge.hasIndex && knowledge.trouble == "read-only")
  }

  @Test func `F198 another index is gone by, and trouble lasts until a check ends it`() {
    var knowledge = FirmwareKnowledge(kept: Self.index(at: .at(5)))
    #expect(!knowledge.isLacking)
    _ = knowledge.checked(.failure(Self.failure), at: .at(9))
    knowledge.begin(with: Self.index("3.0", at: .at(2)))
    #expect(knowledge.isLacking && knowledge.trouble == "nobody answers" && knowledge.lastCheck == .at(2))
    #expect(Self.report(knowledge)?.offer?.latest == "3.0")
    let isTroubled = knowledge.checked(.success(Self.index("3.0", at: .at(10))), at: .at(10))
    #expect(isTroubled == false && !knowledge.isLacking)
    knowledge.begin(with: nil)
    #expect(knowledge.isLacking)
  }

  @Test func `an answer is good for half an hour, unless the check failed or the clock was set`() {
    var knowledge = FirmwareKnowledge(kept: Self.index(at: .at(0)))
    #expect(knowledge.isFresh(at: .at(29 * Self.minute)))
    #expect(!knowledge.isFresh(at: .at(30 * Self.minute)))
    #expect(!knowledge.isFresh(at: .at(-1)))
    _ = knowledge.checked(.failure(Self.failure), at: .at(0))
    #expect(!knowledge.isFresh(at: .at(1)))
    #expect(!FirmwareKnowledge().isFresh(at: .at(0)))
  }

  @Test func `health says whether checks go well, how old the index is, and for how many boards it has more`()
  {
    var knowledge = FirmwareKnowledge()
    #expect(
      knowledge.numbers(outdated: 0, at: .at(9)) == [
        .firmwareCheckOK: 1, .firmwareIndexAge: 0, .boardsOutdated: 0,
      ])
    _ = knowledge.checked(.success(Self.index(at: .at(0))), at: .at(0))
    _ = knowledge.checked(.failure(Self.failure), at: .at(Self.minute))
    #expect(
      knowledge.numbers(outdated: 2, at: .at(2 * Self.minute)) == [
        .firmwareCheckOK: 0, .firmwareIndexAge: 120, .boardsOutdated: 2,
      ])
    #expect(knowledge.numbers(outdated: 2, at: .at(-5))[.firmwareIndexAge] == 0)
  }

  private static func due(_ knowledge: FirmwareKnowledge, _ rule: ScheduleRule, now: Timestamp) -> Timestamp?
  {
    knowledge.due(rule, started: .at(0), now: now, in: .utc)
  }

  @Test func `it is due by the schedule, at first counted from the start`() {
    let never = FirmwareKnowledge()
    #expect(Self.due(never, .every(.seconds(60)), now: .at(5)) == .at(0))
    #expect(Self.due(never, .never, now: .at(5)) == nil)
    // Long past the hour nothing has happened yet: it stays due.
    let first = Self.due(never, .daily(minute: 180), now: .at(0))
    #expect(first == Self.due(never, .daily(minute: 180), now: .at(3 * 86_400_000)))
    let kept = FirmwareKnowledge(kept: Self.index(at: .at(0)))
    #expect(Self.due(kept, .every(.seconds(60)), now: .at(5)) == .at(60_000))
  }

  @Test func `F194 a failed check is repeated after an hour, however rare checks are`() {
    var knowledge = FirmwareKnowledge()
    _ = knowledge.checked(.failure(Self.failure), at: .at(0))
    #expect(Self.due(knowledge, .every(.seconds(7 * 86_400)), now: .at(1)) == .at(60 * Self.minute))
    #expect(Self.due(knowledge, .every(.seconds(60)), now: .at(1)) == .at(Self.minute))
    #expect(Self.due(knowledge, .never, now: .at(1)) == nil)
  }

  @Test func `F206 a check, also one that is repeated, keeps to the hours, and each gateway has its place`()
    throws
  {
    // `.at(0)` is 20:40:34 UTC.
    let day = try #require(ScheduleRule.parse("1d 50% 08:00-18:00"))
    var knowledge = FirmwareKnowledge()
    let first = try #require(Self.due(knowledge, day, now: .at(5)))
    #expect((0...1_800).contains((first - Zones.utc(2025, 11, 21, 8)).inSeconds))
    _ = knowledge.checked(.failure(Self.failure), at: .at(0))
    #expect(Self.due(knowledge, day, now: .at(1)) == first)
    let daily = try #require(ScheduleRule.parse("daily 03:00 100%"))
    let places = (1...20).compactMap {
      FirmwareKnowledge().due(daily, started: .at(0), now: .at(5), in: .utc, of: "gateway-\($0)")
    }
    #expect(Set(places).count == 20)
  }

  @Test func `a check of the future is none`() {
    let kept = FirmwareKnowledge(kept: Self.index(at: .at(1_000_000)))
    #expect(Self.due(kept, .every(.seconds(60)), now: .at(5)) == .at(0))
  }
}
