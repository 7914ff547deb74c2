import Dialects
import FleetModel
import Storage
import Support
import Testing

@testable import Fleet

/// MQTT contract 4.2.
@Suite(.timeLimit(.minutes(20)))
struct CommandDispatcherGroupTests {
  private static let east = CommandTarget.group("east")
  private static let request = #"{"id":"job","args":{}}"#

  private static func rig(_ count: Int = 4, seed: UInt64 = 1, limits: CommandLimits = CommandLimits()) throws
    -> DispatcherRig
  {
    try DispatcherRig(
      seed: seed, limits: limits,
      boards: Dictionary(uniqueKeysWithValues: (1...count).map { (.number($0), ["east"]) }))
  }

  private static func stages(_ replies: [JSONObject]) -> [String] {
    replies.compactMap { $0["stage"]?.string }
  }

  private static func send(
    _ payload: String, _ verb: String = "reset", to target: CommandTarget = east,
    for time: Duration = .seconds(60),
    in rig: DispatcherRig
  ) throws -> (job: [JSONObject], said: [JSONObject]) {
    try rig.run { dispatcher in
      await rig.send(payload, to: verb, of: target, dispatcher: dispatcher)
      await rig.pass(time)
      return (await rig.replies(of: target), await rig.said)
    }
  }

  @Test func `every member gets its own command and answers by itself; the job is told as a whole`() throws {
    let rig = try Self.rig(3)
    let replies = try rig.run { dispatcher -> ([JSONObject], [[JSONObject]]) in
      await rig.send(
        #"{"id":"job","args":{},"job":{"parallel":2}}"#, to: "reset", of: Self.east, dispatcher: dispatcher
      ) {
        $0.properties.responseTopic = "me/answers"
      }
      await rig.pass(.seconds(60))
      var members: [[JSONObject]] = []
      for number in 1...3 { members.append(await rig.replies(of: .board(.number(number)))) }
      return (await rig.replies(of: Self.east), members)
    }
    for (index, member) in replies.1.enumerated() {
      #expect(Self.stages(member) == ["accepted", "sent", "done"])
      #expect(member.allSatisfy { $0["id"]?.string == "job.\(BoardID.number(index + 1))" })
    }
    // Twice: on the reply topic and on the sender's own.
    let job = replies.0.filter { $0["stage"] != "progress" }
    #expect(Self.stages(job) == ["accepted", "accepted", "done", "done"])
    #expect(job[0]["data"] == ["total": 3, "job": ["parallel": 2, "per_min": 600]])
    #expect(
      job[2]["data"] == [
        "total": 3, "done": 3, "failed": 0, "unknown": 0, "pending": 0, "skipped": 0, "by_code": [:],
        "not_done": [],
      ])
    #expect(job[2]["ok"] == true && job[2]["evidence"] == nil && job[2]["group"] == "east")
  }

  @Test func `F184 of two hundred members each answers by itself, and no message of the job grows with them`()
    throws
  {
    let rig = try Self.rig(200)
    let (job, members, sizes) = try rig.run { dispatcher -> ([JSONObject], [JSONObject?], [Int]) in
      for number in 1...200 {
        await rig.script.set(.number(number)) {
          $0.outcome =
            number % 5 == 0
            ? .failed(CommandFailure(.boardError, "it stayed silent"))
            : .done(evidence: .response, data: ["battery_pct": .integer(Int64(number))])
          $0.isAway = number % 7 == 0
        }
      }
      await rig.send(
        #"{"id":"job","args":{"what":"battery"},"job":{"parallel":64,"per_min":6000}}"#, to: "read",
        of: Self.east, dispatcher: dispatcher)
      await rig.pass(.seconds(120))
      let job = await rig.replies(of: Self.east)
      let finals = await rig.replies.filter { $0["ok"] != nil && $0["board"] != nil }
      let byBoard = Dictionary(finals.map { ($0["board"]?.string ?? "", $0) }) { first, _ in first }
      let members = (1...200).map { byBoard[BoardID.number($0).description] }
      return (job, members, job.map { JSONWriter.render($0).count })
    }
    for (index, member) in members.enumerated() {
      let number = index + 1
      let code: JSONValue? = number % 7 == 0 ? "unreachable" : number % 5 == 0 ? "board-error" : nil
      #expect(member?["code"] == code, "board \(number)")
      if code == nil { #expect(member?["data"] == ["battery_pct": .integer(Int64(number))]) }
    }
    #expect(job.last?["data"]?.object?["total"] == 200)
    #expect(job.last?["data"]?.object?["not_done"]?.array?.count == 63)
    #expect(sizes.allSatisfy { $0 < 16 * 1_024 }, "\(sizes.max() ?? 0) bytes")
  }

  @Test func `members are begun no faster than allowed, and no more of them at once`() throws {
    let rig = try Self.rig(6)
    let effects = try rig.run { dispatcher -> [Duration] in
      for number in 1...6 { await rig.script.set(.number(number)) { $0.takes = .seconds(10) } }
      await rig.send(
        #"{"id":"job","args":{},"mode":"queue","job":{"parallel":2,"per_min":30}}"#, to: "reset",
        of: Self.east,
        dispatcher: dispatcher)
      await rig.pass(.seconds(60))
      return await rig.script.effects.map(\.time)
    }
    let seconds = effects.map { ($0 - effects[0]).components.seconds }
    #expect(seconds == [0, 2, 10, 12, 20, 22])
  }

  @Test func `progress is told at most once a second`() throws {
    let rig = try Self.rig(40)
    let (job, _) = try Self.send(
      #"{"id":"job","args":{},"job":{"parallel":4,"per_min":600}}"#, in: rig)
    let progress = job.filter { $0["stage"] == "progress" }
    let times = progress.compactMap { $0["ts_ms"]?.integer }
    #expect(progress.count >= 3)
    for (one, next) in zip(times, times.dropFirst()) { #expect(next - one >= 1_000) }
    #expect(progress.allSatisfy { $0["pct"]?.number != nil && $0["eta_ms"]?.integer != nil })
    #expect(progress.allSatisfy { $0["data"]?.object?["total"] == 40 })
  }

  @Test func `what fails is counted by code and named, and the job fails with the most frequent one`() throws
  {
    let rig = try Self.rig(4)
    let job = try rig.run { dispatcher -> [JSONObject] in
      await rig.script.set(.number(2)) { $0.outcome = .failed(CommandFailure(.boardError, "x")) }
      await rig.script.set(.number(3)) { $0.outcome = .unknown(message: "x") }
      await rig.send(Self.request, to: "reset", of: Self.east, dispatcher: dispatcher)
      await rig.pass(.seconds(60))
      return await rig.replies(of: Self.east)
    }
    let final = try #require(job.last)
    #expect(final["stage"] == "failed" && final["code"] == "board-error" && final["message"] == "2 of 4 done")
    #expect(final["data"]?.object?["by_code"] == ["board-error": 1] && final["data"]?.object?["unknown"] == 1)
    #expect(
      final["data"]?.object?["not_done"] == [
        ["board": .string(BoardID.number(2).description), "stage": "failed", "code": "board-error"],
        ["board": .string(BoardID.number(3).description), "stage": "unknown"],
      ])
  }

  @Test func `too many failures: the rest is not begun, and said to be skipped`() throws {
    let rig = try Self.rig(20)
    let (effects, job) = try rig.run { dispatcher -> (Int, [JSONObject]) in
      for number in 1...20 {
        await rig.script.set(.number(number)) { $0.outcome = .failed(CommandFailure(.lowBattery, "x")) }
      }
      await rig.send(
        #"{"id":"job","args":{},"job":{"parallel":1,"abort_fail_pct":50}}"#, to: "reset", of: Self.east,
        dispatcher: dispatcher)
      await rig.pass(.seconds(60))
      return (await rig.script.effects.count, await rig.replies(of: Self.east))
    }
    #expect(effects == 5)
    #expect(job.last?["code"] == "low-battery" && job.last?["data"]?.object?["skipped"] == 15)
  }

  @Test func `the confirmation of the group is that of its members, and no other one is`() throws {
    let rig = try Self.rig(2)
    _ = try Self.send(#"{"id":"a","args":{"confirm":"east"}}"#, "sleep", in: rig)
    let (_, said) = try Self.send(
      #"{"id":"b","args":{"confirm":"\#(BoardID.number(1))"}}"#, "sleep", in: rig)
    let effects = try rig.run { _ in await rig.script.effects.map(\.intent) }
    #expect(effects == [.device(.sleep), .device(.sleep)])
    #expect(said.compactMap { $0["code"]?.string } == ["invalid"])
  }

  private static let refusedCases: [(String, String, String, String)] = [
    ("raw", "all", #"{"id":"a","args":{"confirm":"all","hex":"0b84"}}"#, "denied"),
    ("factory-reset", "all", #"{"id":"a","args":{"confirm":"all"}}"#, "denied"),
    ("factory-reset", "east", #"{"id":"a","args":{"confirm":"east","discard":5}}"#, "invalid"),
    ("log-clear", "east", #"{"id":"a","args":{"confirm":"east","discard":5}}"#, "invalid"),
    ("reset", "east", #"{"id":"a","args":{},"job":{"speed":5}}"#, "invalid"),
    ("reset", "east", #"{"id":"a","args":{},"job":7}"#, "invalid"),
    ("reload", "east", #"{"id":"a","args":{}}"#, "invalid"),
    ("reset", "east", #"{"id":"a","args":{"x":1}}"#, "invalid"),
    ("raw", "east", #"{"id":"a","args":{"confirm":"east","hex":"0b84"}}"#, "denied"),
  ]

  @Test(arguments: refusedCases)
  func `refused before acceptance: no member hears of it`(
    verb: String, group: String, payload: String, code: String
  ) throws {
    let rig = try Self.rig(2)
    let (job, said) = try Self.send(payload, verb, to: .group(group), in: rig)
    let effects = try rig.run { _ in (await rig.script.effects.count, await rig.replies.count) }
    #expect(job.isEmpty && effects == (0, 0))
    #expect(said.compactMap { $0["code"]?.string } == [code])
  }

  @Test func `who may command a board only as one of another group may not as one of this`() throws {
    var limits = CommandLimits()
    limits.permissions = CommandPermissions([.init(verbs: ["*"], groups: ["west"])])
    let rig = try DispatcherRig(
      seed: 1, limits: limits, boards: [.number(1): ["east"], .number(2): ["east", "west"]])
    let (job, _) = try Self.send(Self.request, in: rig)
    let (effects, refused) = try rig.run { _ in
      (await rig.script.effects.map(\.board), await rig.replies(of: .board(.number(1))))
    }
    #expect(effects == [.number(2)])
    #expect(refused.compactMap { $0["code"]?.string } == ["denied"])
    #expect(job.last?["data"]?.object?["by_code"] == ["denied": 1] && job.last?["data"]?.object?["done"] == 1)
  }

  @Test func `all are all boards, whatever their groups`() throws {
    let rig = try DispatcherRig(seed: 1, boards: [.number(1): [], .number(2): ["east"]])
    let (job, _) = try Self.send(Self.request, to: .group("all"), in: rig)
    #expect(job.last?["stage"] == "done" && job.last?["data"]?.object?["total"] == 2)
  }

  private static let emptyCases: [(String, Bool, [String])] = [
    (Self.request, false, ["unreachable"]), (Self.request, true, []), ("{", false, ["invalid"]),
    ("{", true, []),
  ]

  @Test(arguments: emptyCases)
  func `a group without members here: silence among other gateways, else unreachable`(
    payload: String, isAmongOthers: Bool, codes: [String]
  ) throws {
    let rig = try Self.rig(2)
    let said = try rig.run { dispatcher -> [JSONObject] in
      await rig.script.set(amongOthers: isAmongOthers)
      await rig.send(payload, to: "reset", of: .group("west"), dispatcher: dispatcher)
      await rig.pass(.seconds(5))
      return await rig.said
    }
    #expect(said.compactMap { $0["code"]?.string } == codes)
  }

  @Test func `what is not begun when the job expires ends expired, and answers`() throws {
    let rig = try Self.rig(3)
    let (job, members) = try rig.run { dispatcher -> ([JSONObject], [[String]]) in
      await rig.script.set(.number(1)) { $0.takes = .seconds(100) }
      await rig.send(
        #"{"id":"job","args":{},"job":{"parallel":1}}"#, to: "reset", of: Self.east, dispatcher: dispatcher)
      await rig.pass(.seconds(120))
      var members: [[String]] = []
      for number in 1...3 {
        members.append(
          await rig.replies(of: .board(.number(number))).compactMap { ($0["code"] ?? $0["stage"])?.string })
      }
      return (await rig.replies(of: Self.east), members)
    }
    #expect(members == [["accepted", "sent", "done"], ["expired"], ["expired"]])
    #expect(job.last?["code"] == "expired" && job.last?["data"]?.object?["by_code"] == ["expired": 2])
    #expect(rig.counters.value(of: .refusalsSuppressed) == 0)
  }

  @Test func `I7 a hundred members that expire all answer: no budget of refusals is theirs`() throws {
    let rig = try Self.rig(100)
    let finals = try rig.run { dispatcher -> Int in
      await rig.script.set(.number(1)) { $0.takes = .seconds(100) }
      await rig.send(
        #"{"id":"job","args":{},"job":{"parallel":1}}"#, to: "reset", of: Self.east, dispatcher: dispatcher)
      await rig.pass(.seconds(200))
      return await rig.replies.count { $0["ok"] != nil && $0["board"] != nil }
    }
    #expect(finals == 100)
  }

  @Test func `F81 a job that comes again is not done again; its summary is`() throws {
    let rig = try Self.rig(3)
    for _ in 1...3 { _ = try Self.send(Self.request, in: rig) }
    let (effects, said, final) = try rig.run { _ in
      (await rig.script.effects.count, await rig.said, await rig.replies(of: Self.east).last)
    }
    var expected = try #require(final)
    expected["duplicate"] = true
    #expect(effects == 3 && said == [expected, expected])
  }

  @Test func `F81 also when its members have left the group since`() throws {
    var rig = try Self.rig(1)
    _ = try Self.send(Self.request, in: rig)
    rig.boards = [:]
    let said = try Self.send(Self.request, in: rig).said
    #expect(said.map { $0["duplicate"] } == [true])
  }

  @Test func `a member that is forgotten meanwhile is unreachable`() throws {
    let rig = try Self.rig(2)
    let job = try rig.run { dispatcher -> JSONObject? in
      await rig.script.set(.number(1)) { $0.takes = .seconds(5) }
      await rig.send(
        #"{"id":"job","args":{},"job":{"parallel":1}}"#, to: "reset", of: Self.east, dispatcher: dispatcher)
      await rig.pass(.seconds(1))
      await rig.script.set(forgotten: [.number(2)])
      await rig.pass(.seconds(60))
      return await rig.replies(of: Self.east).last
    }
    #expect(job?["data"]?.object?["by_code"] == ["unreachable": 1])
  }
}
