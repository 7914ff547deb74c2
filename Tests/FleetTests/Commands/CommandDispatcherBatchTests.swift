import FleetModel
import Support
import Testing
import VirtualTime

@testable import Fleet

/// MQTT contract 3.11.
@Suite(.timeLimit(.minutes(20)))
struct CommandDispatcherBatchTests {
  private static let one = CommandTarget.board(.number(1))

  private static func rig(seed: UInt64 = 1) throws -> DispatcherRig {
    try DispatcherRig(seed: seed, boards: [.number(1): ["east"], .number(2): ["east"]])
  }

  /// A batch of three, told apart by how long they identify.
  private static func request(_ mode: String = "stop", id: String = "b") -> String {
    let commands = (1...3).map { #"{"verb":"identify","args":{"for_s":\#($0)}}"# }.joined(separator: ",")
    return #"{"id":"\#(id)","args":{"commands":[\#(commands)],"on_failure":"\#(mode)"}}"#
  }

  private static func step(_ number: Int) -> BoardIntent { .device(.identify(seconds: number)) }

  private static func results(_ reply: JSONObject?) -> [String] {
    (reply?["data"]?.object?["results"]?.array ?? []).compactMap { $0.object?["stage"]?.string }
  }

  @Test func `it is carried out in its order, and answered once`() throws {
    let rig = try Self.rig()
    let (replies, effects) = try rig.run { dispatcher -> ([JSONObject], [BoardIntent]) in
      await rig.send(Self.request(), to: "batch", of: Self.one, dispatcher: dispatcher)
      await rig.pass(.seconds(60))
      return (await rig.replies(of: Self.one), await rig.script.effects.map(\.intent))
    }
    #expect(effects == (1...3).map(Self.step))
    #expect(replies.map { $0["stage"] } == ["accepted", "sent", "progress", "done"])
    #expect(Self.results(replies[1]) == ["running", "pending", "pending"])
    #expect(Self.results(replies.last) == ["done", "done", "done"])
    #expect(replies.last?["ok"] == true && replies.last?["evidence"] == "response")
  }

  @Test(arguments: 0..<3, ["stop", "continue"])
  func `what fails anywhere is told, and decides about what is behind it`(index: Int, mode: String) throws {
    let rig = try Self.rig()
    let (final, effects) = try rig.run { dispatcher -> (JSONObject?, [BoardIntent]) in
      await rig.script.set(.number(1)) {
        $0.ends[Self.step(index + 1)] = .failed(CommandFailure(.boardError, "no"))
      }
      await rig.send(Self.request(mode), to: "batch", of: Self.one, dispatcher: dispatcher)
      await rig.pass(.seconds(60))
      return (await rig.replies(of: Self.one).last, await rig.script.effects.map(\.intent))
    }
    #expect(final?["stage"] == "failed" && final?["code"] == "board-error")
    let behind = mode == "stop" ? "skipped" : "done"
    #expect(Self.results(final) == (0..<3).map { $0 < index ? "done" : $0 == index ? "failed" : behind })
    #expect(effects == (1...(mode == "stop" ? index + 1 : 3)).map(Self.step))
  }

  /// Delivers the batch in three processes that follow each other, of which the first dies after so many jobs, and the
  /// second too, if that is given. Returns how the commands ended, and whether the first died before it was over.
  private static func play(
    seed: UInt64, _ mode: String, failing: Int?, first: Int, second: Int? = nil
  ) throws -> (results: [String], died: Bool) {
    let rig = try Self.rig(seed: seed)
    var died = false
    for (number, limit) in [first, second, nil].enumerated() {
      let ended = rig.process(dyingAfter: limit) { dispatcher -> Bool in
        if let failing {
          await rig.script.set(.number(1)) {
            $0.ends[step(failing + 1)] = .failed(CommandFailure(.boardError, "no"))
          }
        }
        await rig.send(request(mode), to: "batch", of: one, dispatcher: dispatcher)
        await rig.pass(.seconds(20))
        return true
      }
      if number == 0, ended == nil { died = true }
    }
    let comment: Comment = "seed \(seed), \(mode), failing \(failing ?? -1), dead after \(first)"
    let (effects, replies) = try #require(
      rig.world.run { (await rig.script.effects.map(\.intent), await rig.replies) }, comment)
    #expect(Set(effects).count == effects.count, "a command ran twice; \(comment)")
    let finals = replies.filter { $0["ok"] != nil }
    #expect(finals.count == 1, comment)
    let results = results(finals.first)
    #expect(results.count == 3, comment)
    for (index, stage) in results.enumerated() {
      let ran = effects.contains(step(index + 1))
      switch stage {
      case "done": #expect(ran && index != failing, comment)
      case "failed": #expect(ran && index == failing, comment)
      case "skipped": #expect(!ran, comment)
      default: #expect(stage == "unknown", comment)
      }
    }
    let stage = finals.first?["stage"]?.string
    let expected =
      results.contains("failed")
      ? "failed"
      : results.contains("unknown") ? "unknown" : results.contains("skipped") ? "failed" : "done"
    #expect(stage == expected, comment)
    return (results, died)
  }

  @Test func `F182 delivered three times over two restarts: nothing twice, and what is told is so`() throws {
    var seen: Set<[String]> = []
    var jobs = 0
    while true {
      let (results, died) = try Self.play(seed: 1, "stop", failing: nil, first: jobs)
      seen.insert(results)
      guard died else { break }
      jobs += 1
    }
    let (done, skipped, unknown) = ("done", "skipped", "unknown")
    // Before and after each command, and while each was under way.
    for ends in [
      [unknown, skipped, skipped], [done, skipped, skipped], [done, unknown, skipped], [done, done, skipped],
      [done, done, unknown], [done, done, done],
    ] { #expect(seen.contains(ends), "\(ends) was never told in \(jobs) deaths") }
  }

  @Test(arguments: 0..<3, ["stop", "continue"])
  func `F182 also where one of its commands fails`(failing: Int, mode: String) throws {
    var jobs = 0
    while try Self.play(seed: 1, mode, failing: failing, first: jobs).died { jobs += 3 }
  }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func `F182 also when it dies again while it recovers`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 1...10 {
      _ = try Self.play(
        seed: seed, "stop", failing: nil, first: Int.random(in: 0...200, using: &random),
        second: Int.random(in: 0...100, using: &random))
    }
  }

  @Test func `F182 a repeat after the crash gets the same answer, and nothing more runs`() throws {
    let rig = try Self.rig()
    rig.runUntilKilled { dispatcher in
      await rig.script.set(.number(1)) { $0.hangsAt = [Self.step(2)] }
      await rig.send(Self.request(), to: "batch", of: Self.one, dispatcher: dispatcher)
      await rig.pass(.seconds(5))
    }
    let (replies, said, effects) = try rig.run { dispatcher -> ([JSONObject], [JSONObject], Int) in
      await rig.script.set(.number(1)) { $0.hangsAt = [] }
      await rig.send(Self.request(), to: "batch", of: Self.one, dispatcher: dispatcher)
      await rig.pass(.seconds(60))
      return (await rig.replies(of: Self.one), await rig.said, await rig.script.effects.count)
    }
    #expect(effects == 2)
    #expect(
      Self.results(replies.last) == ["done", "unknown", "skipped"] && replies.last?["stage"] == "unknown")
    #expect(said.last?["duplicate"] == true && said.last?["data"] == replies.last?["data"])
  }

  @Test func `cancelled, it stops before its next command, and tells how the one under way ended`() throws {
    let rig = try Self.rig()
    let (outcomes, final, effects) = try rig.run { dispatcher -> ([CommandOutcome], JSONObject?, Int) in
      await rig.script.set(.number(1)) { $0.takes = .seconds(10) }
      await rig.send(Self.request("continue"), to: "batch", of: Self.one, dispatcher: dispatcher)
      await rig.pass(.seconds(15))
      let outcomes = [await dispatcher.cancel("b"), await dispatcher.cancel("b")]
      await rig.pass(.seconds(60))
      return (outcomes, await rig.replies(of: Self.one).last, await rig.script.effects.count)
    }
    #expect(outcomes == [true, false].map { .done(evidence: nil, data: ["cancelled": .bool($0)]) })
    #expect(effects == 2 && Self.results(final) == ["done", "done", "skipped"])
    #expect(final?["code"] == "expired" && final?["message"] == "cancelled; 2 of 3 done")
  }

  @Test func `with its last command under way there is nothing left to cancel`() throws {
    let rig = try Self.rig()
    let (outcome, final) = try rig.run { dispatcher -> (CommandOutcome, JSONObject?) in
      await rig.script.set(.number(1)) { $0.takes = .seconds(10) }
      await rig.send(Self.request(), to: "batch", of: Self.one, dispatcher: dispatcher)
      await rig.pass(.seconds(25))
      let outcome = await dispatcher.cancel("b")
      await rig.pass(.seconds(60))
      return (outcome, await rig.replies(of: Self.one).last)
    }
    #expect(outcome == .done(evidence: nil, data: ["cancelled": false]) && final?["stage"] == "done")
  }

  @Test func `cancelled before it was begun it ends at once, without results`() throws {
    let rig = try Self.rig()
    let (final, effects) = try rig.run { dispatcher -> (JSONObject?, Int) in
      await rig.script.set(.number(1)) { $0.isAway = true }
      await rig.send(Self.request(), to: "batch", of: Self.one, dispatcher: dispatcher)
      await rig.pass(.seconds(5))
      _ = await dispatcher.cancel("b")
      return (await rig.replies(of: Self.one).last, await rig.script.effects.count)
    }
    #expect(effects == 0 && final?["code"] == "expired" && final?["data"] == nil)
  }

  @Test func `each member of a group runs the whole list, and the job counts batches`() throws {
    let rig = try Self.rig()
    let (members, job) = try rig.run { dispatcher -> ([JSONObject?], JSONObject?) in
      await rig.script.set(.number(2)) { $0.ends[Self.step(2)] = .failed(CommandFailure(.boardError, "no")) }
      await rig.send(Self.request(), to: "batch", of: .group("east"), dispatcher: dispatcher)
      await rig.pass(.seconds(60))
      var members: [JSONObject?] = []
      for number in 1...2 { members.append(await rig.replies(of: .board(.number(number))).last) }
      return (members, await rig.replies(of: .group("east")).last)
    }
    #expect(Self.results(members[0]) == ["done", "done", "done"])
    #expect(Self.results(members[1]) == ["done", "failed", "skipped"])
    let data = job?["data"]?.object
    #expect(data?["total"] == 2 && data?["done"] == 1 && data?["by_code"] == ["board-error": 1])
  }

  @Test func `a job that is cancelled stops its members' batches, too`() throws {
    let rig = try Self.rig()
    let (effects, stages) = try rig.run { dispatcher -> (Int, [[String]]) in
      for number in 1...2 { await rig.script.set(.number(number)) { $0.takes = .seconds(10) } }
      await rig.send(Self.request(), to: "batch", of: .group("east"), dispatcher: dispatcher)
      await rig.pass(.seconds(5))
      _ = await dispatcher.cancel("b")
      await rig.pass(.seconds(60))
      var stages: [[String]] = []
      for number in 1...2 { stages.append(Self.results(await rig.replies(of: .board(.number(number))).last)) }
      return (await rig.script.effects.count, stages)
    }
    #expect(effects == 2 && stages == Array(repeating: ["done", "skipped", "skipped"], count: 2))
  }

  @Test func `F183 what one of its commands may not, it may not, and nothing of it runs`() throws {
    var rig = try Self.rig()
    rig.limits.permissions = CommandPermissions([.init(verbs: ["batch", "led"])])
    let refused = rig
    let (said, effects) = try refused.run { dispatcher -> ([JSONObject], Int) in
      await refused.send(Self.request(), to: "batch", of: Self.one, dispatcher: dispatcher)
      await refused.pass(.seconds(5))
      return (await refused.said, await refused.script.effects.count)
    }
    #expect(effects == 0 && said.contains { $0["code"] == "denied" })
  }
}
