import FleetModel
import Testing

@testable import Fleet

@Suite struct GroupJobTests {
  private static func made(
    _ count: Int, parallel: Int = 8, perMinute: Int = 600, abortFailPercent: Int? = nil
  ) -> GroupJob {
    var limits = JobLimits()
    limits.parallel = parallel
    limits.perMinute = perMinute
    limits.abortFailPercent = abortFailPercent
    return GroupJob(members: (1...count).reversed().map { .number($0) }, limits: limits)
  }

  private static func outcome(_ job: GroupJob) -> String {
    switch job.summary.outcome {
    case .done: "done"
    case .failed(let failure): failure.code.rawValue
    case .unknown: "unknown"
    }
  }

  @Test func `members are begun in order, so many at once and so many a minute`() {
    var job = Self.made(4, parallel: 2, perMinute: 60)
    #expect(job.step(at: .seconds(10), isExpired: false) == .begin(.number(1)))
    #expect(job.step(at: .seconds(10), isExpired: false) == .wait(until: .seconds(11)))
    #expect(job.step(at: .seconds(11), isExpired: false) == .begin(.number(2)))
    #expect(job.step(at: .seconds(20), isExpired: false) == .wait(until: nil), "two are under way")
    job.ended(.number(2), .done)
    #expect(job.step(at: .seconds(20), isExpired: false) == .begin(.number(3)))
    job.ended(.number(1), .done)
    #expect(job.step(at: .milliseconds(20_999), isExpired: false) == .wait(until: .seconds(21)))
    #expect(job.step(at: .seconds(21), isExpired: false) == .begin(.number(4)))
    #expect(job.step(at: .seconds(30), isExpired: false) == .wait(until: nil), "all are begun")
    job.ended(.number(3), .done)
    job.ended(.number(4), .done)
    #expect(job.step(at: .seconds(30), isExpired: false) == .finish)
  }

  @Test(arguments: [1, 7, 600, 6_000])
  func `in no minute more are begun than are allowed`(perMinute: Int) {
    var job = Self.made(700, parallel: 64, perMinute: perMinute)
    var begun: [Duration] = []
    var now = Duration.zero
    while now < .seconds(90), begun.count < 700 {
      switch job.step(at: now, isExpired: false) {
      case .begin(let board):
        begun.append(now)
        job.ended(board, .done)
      case .wait(let until): now = until ?? now + .seconds(1)
      default: now += .seconds(1)
      }
    }
    for start in begun { #expect(begun.count { $0 >= start && $0 < start + .seconds(60) } <= perMinute) }
  }

  @Test func `what is not begun when the job expires fails, whatever is under way`() {
    var job = Self.made(3, parallel: 1)
    #expect(job.step(at: .zero, isExpired: false) == .begin(.number(1)))
    #expect(job.step(at: .zero, isExpired: true) == .expire(.number(2)))
    #expect(job.step(at: .zero, isExpired: true) == .expire(.number(3)))
    job.ended(.number(2), .failed(.expired))
    job.ended(.number(3), .failed(.expired))
    #expect(job.step(at: .zero, isExpired: true) == .wait(until: nil))
    job.ended(.number(1), .done)
    #expect(job.step(at: .zero, isExpired: true) == .finish)
    #expect(Self.outcome(job) == "expired" && job.summary.data["done"] == 1)
  }

  /// Share, members that fail of the first six, whether the job goes on.
  private static let abortCases: [(Int?, Int, Bool)] = [
    (20, 1, true), (20, 2, false), (16, 1, false), (17, 1, true), (100, 6, true), (99, 6, false),
    (nil, 6, true),
  ]

  @Test(arguments: abortCases)
  func `too many failures stop it, judged from five on`(percent: Int?, failing: Int, goesOn: Bool) {
    var job = Self.made(10, abortFailPercent: percent)
    for number in 1...6 {
      // Those that fail come last, so that no share before is larger.
      job.ended(.number(number), number > 6 - failing ? (number % 2 == 0 ? .failed(.busy) : .unknown) : .done)
    }
    #expect((job.stop == nil) == goesOn)
    #expect(job.skipped == (goesOn ? 0 : 4))
    if !goesOn { #expect(job.step(at: .zero, isExpired: true) == .finish, "those skipped do not expire") }
  }

  @Test func `four failures in a row are not judged, the fifth is`() {
    var job = Self.made(10, abortFailPercent: 1)
    for number in 1...4 { job.ended(.number(number), .unknown) }
    #expect(job.stop == nil)
    job.ended(.number(5), .done)
    #expect(job.stop == .aborted)
  }

  private static let endCases: [([GroupJob.Result], String)] = [
    ([.done, .done, .done], "done"), ([.done, .failed(.busy), .failed(.busy), .failed(.denied)], "busy"),
    ([.done, .failed(.denied), .failed(.busy)], "busy"),
    ([.unknown, .unknown, .failed(.boardError)], "board-error"),
    ([.done, .unknown], "unknown"), ([.unknown], "unknown"),
  ]

  @Test(
    arguments: endCases)
  func `done when all are, else the most frequent code, unknown when only such are left`(
    results: [GroupJob.Result], end: String
  ) {
    var job = Self.made(results.count)
    for (index, result) in results.enumerated() { job.ended(.number(index + 1), result) }
    #expect(Self.outcome(job) == end)
  }

  @Test func `the summary is the contract's example`() {
    var job = Self.made(40)
    for number in 1...38 { job.ended(.number(number), .done) }
    for number in 39...40 { job.ended(.number(number), .failed(.unreachable)) }
    let entry: (Int) -> JSONValue = {
      ["board": .string(BoardID.number($0).description), "stage": "failed", "code": "unreachable"]
    }
    #expect(
      job.summary.data == [
        "total": 40, "done": 38, "failed": 2, "unknown": 0, "pending": 0, "skipped": 0,
        "by_code": ["unreachable": 2], "not_done": [entry(39), entry(40)],
      ])
    #expect(job.summary.outcome == .failed(CommandFailure(.unreachable, "38 of 40 done")))
  }

  @Test func `of those not done the first hundred are named, and the counts are whole`() {
    var job = Self.made(150)
    for number in 1...150 { job.ended(.number(number), .unknown) }
    let data = job.summary.data
    #expect(data["not_done"]?.array?.count == 100 && data["unknown"] == 150)
  }

  @Test func `progress counts all, and its end is what the pace so far tells`() {
    var job = Self.made(4)
    #expect(job.end(since: .at(0), at: .at(1_000)) == nil)
    _ = job.step(at: .zero, isExpired: false)
    job.ended(.number(1), .done)
    #expect(job.percent == 25)
    #expect(job.counts == ["total": 4, "done": 1, "failed": 0, "unknown": 0, "pending": 3])
    #expect(job.end(since: .at(0), at: .at(1_000)) == .at(4_000))
  }

  @Test func `a cancelled job skips who was not begun, and waits for who was`() {
    var job = Self.made(3)
    _ = job.step(at: .zero, isExpired: false)
    job.stop(.cancelled)
    #expect(job.step(at: .seconds(9), isExpired: false) == .wait(until: nil))
    #expect(job.unfinished == [.number(1)])
    job.ended(.number(1), .done)
    #expect(job.step(at: .seconds(9), isExpired: false) == .finish)
    #expect(Self.outcome(job) == "expired" && job.summary.data["skipped"] == 2)
  }

  @Test func `F82 after a restart it is judged as a whole, and what was stopped stays stopped`() {
    let results: [BoardID: GroupJob.Result] = Dictionary(
      uniqueKeysWithValues: (1...10).map { (.number($0), $0 <= 4 ? .unknown : .done) })
    var going = Self.made(12, abortFailPercent: 40)
    going.resume(results, stop: nil)
    #expect(going.stop == nil, "the first five alone would have stopped it")
    #expect(going.step(at: .zero, isExpired: false) == .begin(.number(11)))
    var stopped = Self.made(12, abortFailPercent: 40)
    stopped.resume(results, stop: GroupJob.stop(in: ["stopped": "aborted"]))
    #expect(stopped.step(at: .zero, isExpired: false) == .finish && stopped.skipped == 2)
  }

  @Test func `a second end of a member changes nothing`() {
    var job = Self.made(2)
    job.ended(.number(1), .done)
    job.ended(.number(1), .unknown)
    #expect(job.results == [.number(1): .done])
  }

  private static let stored: [(JSONObject, GroupJob.Result)] = [
    (["stage": "done"], .done), (["stage": "unknown"], .unknown),
    (["stage": "failed", "code": "no-slots"], .failed(.noSlots)),
    (["stage": "failed", "code": "from-the-future"], .failed(.internal)), ([:], .unknown),
  ]

  @Test(arguments: stored)
  func `F82 a member's stored answer says how it ended`(reply: JSONObject, result: GroupJob.Result) {
    #expect(GroupJob.Result(stored: reply) == result)
  }
}
