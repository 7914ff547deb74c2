import FleetModel
import Storage
import Support
import Testing

@testable import Fleet

/// The gateway's verb `cancel` (MQTT contract 4.1).
@Suite(.timeLimit(.minutes(20)))
struct CommandDispatcherCancelTests {
  private static let one = CommandTarget.board(.number(1))

  private static func rig() throws -> DispatcherRig {
    try DispatcherRig(seed: 1, boards: [.number(1): ["east"], .number(2): ["east"], .number(3): ["east"]])
  }

  private static func isCancelled(_ outcome: CommandOutcome) -> Bool? {
    guard case .done(_, let data) = outcome else { return nil }
    return data["cancelled"]?.bool
  }

  @Test func `what was not begun ends expired at once, and never runs`() throws {
    let rig = try Self.rig()
    let (isCancelled, replies, effects) = try rig.run { dispatcher -> (Bool?, [JSONObject], Int) in
      await rig.script.set(.number(1)) { $0.isAway = true }
      await rig.send(#"{"id":"a","mode":"queue"}"#, to: "reset", of: Self.one, dispatcher: dispatcher)
      await rig.pass(.seconds(60))
      let outcome = await dispatcher.cancel("a")
      await rig.script.set(.number(1)) { $0.isAway = false }
      await rig.pass(.seconds(60))
      return (Self.isCancelled(outcome), await rig.replies(of: Self.one), await rig.script.effects.count)
    }
    #expect(isCancelled == true && effects == 0)
    #expect(replies.map { $0["stage"] } == ["accepted", "queued", "failed"])
    #expect(replies.last?["code"] == "expired" && replies.last?["message"] == "cancelled")
  }

  @Test func `what was sent ends unknown at once; how it really ends is told to nobody`() throws {
    let rig = try Self.rig()
    let (outcomes, stages) = try rig.run { dispatcher -> ([Bool?], [String]) in
      await rig.script.set(.number(1)) { $0.takes = .seconds(20) }
      await rig.send(#"{"id":"a"}"#, to: "reset", of: Self.one, dispatcher: dispatcher)
      await rig.pass(.seconds(1))
      let first = await dispatcher.cancel("a")
      let again = await dispatcher.cancel("a")
      await rig.pass(.seconds(60))
      return ([first, again].map(Self.isCancelled), await rig.stages)
    }
    #expect(outcomes == [true, false] && stages == ["accepted", "sent", "unknown"])
    #expect(rig.counters.value(of: .commandsOK) == 0 && rig.counters.value(of: .commandsFailed) == 1)
  }

  @Test func `as a command: it answers for itself, and cancels no other cancelling`() throws {
    let rig = try Self.rig()
    let replies = try rig.run { dispatcher -> [JSONObject] in
      await rig.script.set(.number(1)) { $0.isAway = true }
      await rig.send(#"{"id":"a","mode":"queue"}"#, to: "reset", of: Self.one, dispatcher: dispatcher)
      await rig.send(#"{"id":"a","args":{"id":"a"}}"#, to: "cancel", dispatcher: dispatcher)
      await rig.pass(.seconds(5))
      return await rig.replies(of: .gateway("gw"))
    }
    #expect(replies.map { $0["stage"] } == ["accepted", "sent", "done"])
    #expect(replies.last?["data"] == ["cancelled": true])
  }

  @Test func `an id that nobody gave, or whose command is over, is not cancelled`() throws {
    let rig = try Self.rig()
    let outcomes = try rig.run { dispatcher -> [Bool?] in
      let never = await dispatcher.cancel("a")
      await rig.send(#"{"id":"a"}"#, to: "reset", of: Self.one, dispatcher: dispatcher)
      await rig.pass(.seconds(10))
      return [never, await dispatcher.cancel("a")].map(Self.isCancelled)
    }
    #expect(outcomes == [false, false])
  }

  @Test func `an id under which commands to several targets wait means all of them`() throws {
    let rig = try Self.rig()
    let codes = try rig.run { dispatcher -> [String] in
      for number in 1...2 {
        await rig.script.set(.number(number)) { $0.isAway = true }
        await rig.send(
          #"{"id":"a","mode":"queue"}"#, to: "reset", of: .board(.number(number)), dispatcher: dispatcher)
      }
      await rig.send(#"{"id":"b"}"#, to: "reset", of: .board(.number(3)), dispatcher: dispatcher)
      await rig.pass(.seconds(10))
      _ = await dispatcher.cancel("a")
      return await rig.replies.filter { $0["ok"] != nil }.compactMap { ($0["code"] ?? $0["stage"])?.string }
    }
    #expect(codes == ["done", "expired", "expired"])
  }

  @Test
  func
    `of a job nobody more is begun, who waits is cancelled, who was sent ends by itself, and the summary is true`()
    throws
  {
    let rig = try Self.rig()
    let (job, effects) = try rig.run { dispatcher -> ([JSONObject], [BoardID]) in
      await rig.script.set(.number(1)) { $0.takes = .seconds(5) }
      await rig.script.set(.number(2)) { $0.isAway = true }
      await rig.send(
        #"{"id":"job","mode":"queue","job":{"parallel":2}}"#, to: "reset", of: .group("east"),
        dispatcher: dispatcher)
      await rig.pass(.seconds(2))
      let outcome = await dispatcher.cancel("job")
      #expect(Self.isCancelled(outcome) == true)
      await rig.pass(.seconds(60))
      return (await rig.replies(of: .group("east")), await rig.script.effects.map(\.board))
    }
    #expect(effects == [.number(1)])
    let final = try #require(job.last)
    #expect(final["stage"] == "failed" && final["code"] == "expired")
    let data = final["data"]?.object
    #expect(data?["done"] == 1 && data?["failed"] == 1 && data?["skipped"] == 1)
  }
}
