import Dialects
import FleetModel
import Storage
import Support
import Synchronization
import Testing
import VirtualTime

@testable import Fleet

/// Commands that arrive while a process still takes up what the last one left (fault matrix F302).
@Suite(.timeLimit(.minutes(5)))
struct CommandDispatcherStartTests {
  private static let board = CommandTarget.board(.number(1))

  private static func rig(seed: UInt64) throws -> DispatcherRig {
    try DispatcherRig(seed: seed, boards: [.number(1): []])
  }

  /// A process to which something happens before it takes up what the last one left; the replies by then.
  private static func start(
    _ rig: DispatcherRig, early: @escaping @Sendable (CommandDispatcher) async -> Void
  ) throws -> [JSONObject] {
    try #require(
      rig.process(early: early) { _ -> [JSONObject] in
        await rig.pass(.seconds(10))
        return await rig.replies
      })
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `F302 a command that comes as soon as the gateway listens runs once, and is done`(seed: UInt64) throws
  {
    let rig = try Self.rig(seed: seed)
    let replies = try Self.start(rig) {
      await rig.send(#"{"id":"a"}"#, to: "reset", of: Self.board, dispatcher: $0)
    }
    #expect(replies.compactMap { $0["stage"]?.string } == ["accepted", "sent", "done"], "seed \(seed)")
    let effects = rig.world.run { await rig.script.effects.count }
    #expect(effects == 1, "seed \(seed)")
  }

  @Test func `F302 whoever brings a command then does not wait`() throws {
    let rig = try Self.rig(seed: 1)
    let returned = Mutex<Duration?>(nil)
    let began = rig.world.uptime
    let replies = try Self.start(rig) {
      await rig.send(#"{"id":"a"}"#, to: "reset", of: Self.board, dispatcher: $0)
      returned.withLock { $0 = rig.world.uptime }
    }
    #expect(returned.withLock { $0 } == began && replies.count == 3)
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `F302 the part of a rollout that begins then runs once, too`(seed: UInt64) throws {
    let rig = try Self.rig(seed: seed)
    let topic = rig.dialect.topics.command(to: Self.board, "reset")
    let message = MQTTMessage(topic: topic, payload: Array(#"{"id":"part"}"#.utf8))
    let meaning = rig.dialect.read(message, arrived: rig.world.now) { "part" }
    guard case .command(_, _, .request(let request)) = meaning else {
      Issue.record("\(meaning) is no request")
      return
    }
    let replies = try Self.start(rig) {
      let member = MemberCommand(request: request, job: CommandEntry.Key(topic: "m/rollout", id: "job"))
      _ = await member.begin(on: $0)
    }
    #expect(replies.compactMap { $0["stage"]?.string } == ["accepted", "sent", "done"], "seed \(seed)")
    let effects = rig.world.run { await rig.script.effects.count }
    #expect(effects == 1, "seed \(seed)")
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `F302 what waited for its board before the restart goes first`(seed: UInt64) throws {
    let rig = try Self.rig(seed: seed)
    rig.runUntilKilled { dispatcher in
      await rig.script.set(.number(1)) { $0.isAway = true }
      let expires = rig.world.now.milliseconds + 600_000
      await rig.send(
        #"{"id":"old","mode":"queue","expires_ms":\#(expires)}"#, to: "reset", of: Self.board,
        dispatcher: dispatcher)
      await rig.pass(.seconds(1))
      await rig.script.set(.number(1)) { $0.isAway = false }
      await rig.script.kill()
      await DispatcherScript.never()
    }
    let replies = try Self.start(rig) {
      await rig.send(#"{"id":"new"}"#, to: "reset", of: Self.board, dispatcher: $0)
    }
    let ends = replies.filter { $0["ok"] != nil }
    #expect(ends.compactMap { $0["id"]?.string } == ["old", "new"], "seed \(seed)")
    #expect(ends.allSatisfy { $0["stage"] == "done" }, "seed \(seed)")
  }
}
