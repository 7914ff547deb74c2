import FleetModel
import Storage
import Testing
import VirtualTime

@testable import Fleet

/// A board that is being worked on: seen by everybody, alarming nobody, over by itself.
@Suite(.timeLimit(.minutes(20)))
struct MaintenanceOrderTests {
  private typealias Rig = SupervisorRig

  private static func order(_ request: MaintenanceRequest, _ rig: Rig) async -> CommandOutcome {
    var stages = CommandProgress.silent
    stages.sender = [UserProperty("who", "anna@pi metafleet")]
    return await rig.board.perform(
      .maintenance(request), expires: rig.world.now + .seconds(30), stages)
  }

  @Test func `F223 it stands in the state and in every event, and ends by itself with an event`() throws {
    let outcome = try Rig.play { rig in
      await rig.streams()
      let start = rig.world.now
      let answer = await Self.order(.start(for: .seconds(600), reason: "new bearing"), rig)
      await rig.pass(.seconds(2))
      let during = await rig.log.states.last?.orders.maintenance
      await rig.board.publish(EventDraft(.lowBattery, "low"))
      await rig.pass(.seconds(600))
      await rig.board.publish(EventDraft(.lowBattery, "critical"))
      let alarms = await rig.log.published(.lowBattery).map { $0.0.fields["maintenance"] }
      let told = await rig.log.published(.maintenance)
      return await (
        start, answer, during, alarms, told.map(\.0), told.last?.1, rig.log.states.last?.orders.maintenance
      )
    }
    let (start, answer, during, alarms, told, end, after) = try #require(outcome)
    let until = start + .seconds(600)
    #expect(answer == .done(evidence: nil, data: ["until_ms": .integer(until.milliseconds)]))
    #expect(during == Maintenance(until: until, reason: "new bearing", who: "anna@pi metafleet"))
    #expect(alarms == [true, nil])
    #expect(told.map(\.type) == ["started", "expired"])
    #expect(told.first?.fields["reason"] == "new bearing" && told.first?.fields["who"] == "anna@pi metafleet")
    #expect(after == nil && end != nil)
  }

  @Test func `F223 the latest order counts, and an end is an end once`() throws {
    let outcome = try Rig.play { rig in
      await rig.streams()
      _ = await Self.order(.start(for: .seconds(60), reason: "short"), rig)
      _ = await Self.order(.start(for: .seconds(3_600), reason: nil), rig)
      await rig.pass(.seconds(120))
      let during = await rig.board.state.orders.maintenance
      let ends = [await Self.order(.end, rig), await Self.order(.end, rig)]
      return await (during, ends, rig.board.state.orders.maintenance, rig.log.types(of: .maintenance))
    }
    let (during, ends, after, types) = try #require(outcome)
    #expect(during != nil && during?.reason == nil && after == nil)
    #expect(
      ends == [.done(evidence: nil, data: ["ended": true]), .done(evidence: nil, data: ["ended": false])])
    #expect(types == ["started", "started", "ended"])
  }

  @Test func `F223 it needs no link, and is on the disk when it is answered`() throws {
    let outcome = try Rig.play(isHeard: false) { rig in
      let answer = await Self.order(.start(for: .seconds(600), reason: nil), rig)
      let kept = (try? await rig.store.boards.memories())?[.number(1)]
      return (answer, kept.flatMap { StoredSetup($0.overlay).maintenance })
    }
    let (answer, kept) = try #require(outcome)
    guard case .done = answer else { return #expect(Bool(false), "\(answer)") }
    #expect(kept?.who == "anna@pi metafleet")
  }

  @Test func `F223 it outlives the process, and what was over meanwhile ends with its event`() throws {
    var (memory, over) = (BoardMemory(board: .number(1)), BoardMemory(board: .number(1)))
    var setup = StoredSetup()
    setup.maintenance = Maintenance(until: .at(4_000_000_000_000), reason: "roof")
    memory.overlay = setup.bytes
    setup.maintenance = Maintenance(until: .at(1))
    over.overlay = setup.bytes
    for (memory, types) in [(memory, []), (over, ["expired"])] {
      let outcome = try Rig.play(memory: memory) { rig in
        await rig.streams()
        await rig.pass(.seconds(2))
        return await (rig.log.states.last?.orders.maintenance?.reason, rig.log.types(of: .maintenance))
      }
      let (reason, told) = try #require(outcome)
      #expect(told == types && reason == (types.isEmpty ? "roof" : nil))
    }
  }

  @Test func `a hold says until when, also where the board is visited now and then`() throws {
    let outcome = try Rig.play { rig in
      await rig.streams()
      let start = rig.world.now
      _ = await rig.board.perform(
        .disconnect(hold: .seconds(60), by: .host), expires: rig.world.now + .seconds(30), .silent)
      await rig.until { $0.reason?.code == .held }
      await rig.pass(.seconds(2))
      let during = await rig.log.states.last
      await rig.streams(after: rig.world.uptime)
      await rig.pass(.seconds(2))
      return await (start, during, rig.log.states.last)
    }
    let (start, during, after) = try #require(outcome)
    let until = try #require(during?.hindrance.until)
    #expect(until >= start + .seconds(60) && until < start + .seconds(65) && during?.reason?.code == .held)
    #expect(after?.hindrance.until == nil && after?.reason == nil)
  }

  @Test func `a hold can be made shorter, and ended, while it lasts`() throws {
    let outcome = try Rig.play { rig in
      await rig.streams()
      func hold(_ seconds: Int64) async -> CommandOutcome {
        await rig.board.perform(
          .disconnect(hold: .seconds(seconds), by: .host), expires: rig.world.now + .seconds(30), .silent)
      }
      _ = await hold(86_400)
      await rig.until { $0.reason?.code == .held }
      let shorter = await hold(60)
      await rig.pass(.seconds(2))
      let until = await rig.log.states.last?.hindrance.until
      let began = rig.world.uptime
      let ended = await hold(0)
      await rig.streams(after: began)
      return (shorter, ended, until, rig.world.now, rig.world.uptime - began)
    }
    let (shorter, ended, until, now, took) = try #require(outcome)
    #expect(
      [shorter, ended] == [.done(evidence: .response, data: [:]), .done(evidence: .response, data: [:])])
    #expect(until.map { $0 < now + .seconds(65) } == true)
    #expect(took < .seconds(30))
  }
}
