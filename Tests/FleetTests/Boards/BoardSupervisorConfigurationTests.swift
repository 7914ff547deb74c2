import BoardKit
import FleetModel
import Support
import Testing
import VirtualTime

@testable import Fleet

/// When the `config` document and its events are told (MQTT contract 1.5, 3.4, 5).
@Suite(.timeLimit(.minutes(20)))
struct BoardSupervisorConfigurationTests {
  private typealias Rig = SupervisorRig

  private static func command(_ keys: JSONObject) -> SettingsCommand {
    let declared = SettingsDeclaration(document: keys)
    return SettingsCommand(declared.settings, declared: declared)
  }

  private static func perform(_ intent: BoardIntent, _ rig: Rig) async -> CommandOutcome {
    await rig.board.perform(intent, expires: rig.world.now + .seconds(30), .silent)
  }

  @Test func `is published at once and when the board does what is wanted`() throws {
    let outcome = try Rig.play { rig in
      await rig.streams()
      await rig.pass(.seconds(2))
      return await (rig.log.configurations, rig.log.published(.config).map(\.0), rig.board.state.isInSync)
    }
    let (documents, events, isInSync) = try #require(outcome)
    #expect(documents.first?.differences == ["stream/acceleration missing"])
    #expect(documents.first.map { $0.reported == SetupDeclaration() } == true)
    let last = try #require(documents.last)
    #expect(last.isInSync && last.desired == last.reported && last.applied != nil)
    #expect(last.slotsUsed == ["timers": 0])
    #expect(isInSync == true)
    #expect(events.map(\.type) == ["applied"])
    #expect(events.first?.fields["differences"] == ["stream/acceleration added"])
    // Nothing in between, which would be neither here nor there; the slots are counted behind.
    #expect(documents.count <= 3)
  }

  @Test
  func
    `F107 F160 a board whose stream brings nothing is not in sync, and says why; its first sample makes it so`()
    throws
  {
    let outcome = try Rig.play(plan: [.opens(.init(isSilent: true))]) { rig in
      await rig.streams()
      await rig.pass(.seconds(4))
      let early = await rig.log.configurations
      await rig.pass(.seconds(10))
      let late = await (rig.log.configurations.last, rig.board.state.troubles)
      await rig.radio.link?.change { $0.isSilent = false }
      await rig.pass(.seconds(1))
      return await (early, late, rig.log.configurations.last, rig.board.state.troubles)
    }
    let (early, (late, troubles), last, noTroubles) = try #require(outcome)
    #expect(troubles.map(\.stream) == ["acceleration"] && troubles.first?.reason.code == .streamSilent)
    #expect(noTroubles == [])
    #expect(early.allSatisfy { !$0.isInSync } && early.last?.differences == ["stream/acceleration awaited"])
    #expect(late?.differences == ["stream/acceleration silent"] && late?.error?.code == .setupBoardError)
    #expect(late?.error?.sentence.contains("no sample was received for 5s") == true)
    #expect(last?.isInSync == true && last?.error == nil)
  }

  @Test func `a lost link changes nothing`() throws {
    let outcome = try Rig.play { rig in
      await rig.streams()
      await rig.pass(.seconds(2))
      let told = await rig.log.configurations.count
      await rig.radio.link?.lose(LinkFailure(.linkLost, "the radio is bad"))
      await rig.streams(after: rig.world.uptime)
      await rig.pass(.seconds(2))
      return await (rig.log.configurations.count - told, rig.log.types(of: .config))
    }
    let (again, events) = try #require(outcome)
    #expect(again == 0)
    #expect(events == ["applied"])
  }

  @Test func `what verbs set is overlay and desired`() throws {
    let outcome = try Rig.play { rig in
      await rig.streams()
      _ = await Self.perform(.device(.settings(Self.command(["tx_dbm": 4]))), rig)
      await rig.pass(.seconds(2))
      return await (rig.log.configurations.last, rig.log.types(of: .config))
    }
    let (last, events) = try #require(outcome)
    let document = try #require(last)
    #expect(document.overlay == [SetupKey(.settings, "tx_dbm")])
    #expect(document.desired[SetupKey(.settings, "tx_dbm")] == 4)
    #expect(document.desired == document.reported && document.isInSync)
    // The reply has told it.
    #expect(events == ["applied"])
  }

  @Test func `a board is not told to be out of step while a command changes what it does`() throws {
    let outcome = try Rig.play { rig in
      await rig.streams()
      await rig.pass(.seconds(2))
      let told = await rig.log.configurations.count
      _ = await Self.perform(.link(.streamStop("acceleration")), rig)
      _ = await Self.perform(.link(.streamStart(.acceleration(100), adjusted: [], duration: nil)), rig)
      await rig.pass(.seconds(2))
      return Array(await rig.log.configurations.dropFirst(told))
    }
    let documents = try #require(outcome)
    #expect(!documents.isEmpty && documents.allSatisfy(\.isInSync), "\(documents.map(\.differences))")
    #expect(documents.last?.overlay == [SetupKey(.stream, "acceleration")])
  }

  @Test func `a new profile is applied and told once`() throws {
    let outcome = try Rig.play { rig in
      await rig.streams()
      await rig.pass(.seconds(2))
      let told = await rig.log.configurations.count
      var desired = await rig.board.setup.desired
      try? desired.profile.settings.declare("tx_dbm", 4)
      try? desired.profile.program.declare(ProgramKey(.timer, "minute"), ["period_ms": 60_000])
      await rig.board.change(to: desired)
      await rig.pass(.seconds(2))
      return await (Array(rig.log.configurations.dropFirst(told)), rig.log.published(.config).map(\.0))
    }
    let (documents, events) = try #require(outcome)
    #expect(documents.map(\.isInSync) == [true] && documents[0].overlay == [])
    #expect(documents[0].slotsUsed == ["timers": 1])
    #expect(events.map(\.type) == ["applied", "applied"])
    #expect(events.last?.fields["differences"] == ["settings/tx_dbm added", "timers/minute added"])
  }

  @Test
  func `F27 while a link is in trouble its settings stay relaxed, which is told; with peace they come back`()
    throws
  {
    let outcome = try Rig.play { rig in
      await rig.streams()
      var desired = await rig.board.setup.desired
      try? desired.profile.settings.declare(
        "connection", ["min_ms": 7.5, "max_ms": 15, "supervision_ms": 6_000])
      await rig.board.change(to: desired)
      for _ in 0..<6 {
        await rig.pass(.seconds(5))
        await rig.radio.link?.lose(LinkFailure(.linkLost, "the connection was lost"))
        await rig.streams(after: rig.world.uptime)
      }
      await rig.pass(.seconds(2))
      let relaxed = await rig.log.configurations.last
      // Long enough to be forgiven.
      await rig.pass(.seconds(3_600))
      await rig.radio.link?.lose(LinkFailure(.linkLost, "the connection was lost"))
      await rig.streams(after: rig.world.uptime)
      await rig.pass(.seconds(2))
      return await (relaxed, rig.log.configurations.last, rig.log.types(of: .config))
    }
    let (relaxed, calm, events) = try #require(outcome)
    #expect(relaxed?.differences == ["settings/connection overridden for a more robust connection"])
    #expect(calm?.differences == [])
    // The stream; the setting; the setting again when all was calm.
    #expect(events == ["applied", "applied", "applied"])
  }

  @Test func `the verb profile drops what verbs changed`() throws {
    let outcome = try Rig.play { rig in
      await rig.streams()
      _ = await Self.perform(.device(.settings(Self.command(["tx_dbm": 4]))), rig)
      _ = await Self.perform(.link(.streamStop("acceleration")), rig)
      await rig.pass(.seconds(2))
      let before = await rig.log.configurations.last
      let outcome = await Self.perform(.profile("calm"), rig)
      await rig.pass(.seconds(2))
      let unknown = await Self.perform(.profile("gone"), rig)
      return await (before, outcome, unknown, rig.log.configurations.last)
    }
    let (before, done, unknown, after) = try #require(outcome)
    #expect(before?.overlay.map(\.text) == ["stream/acceleration", "settings/tx_dbm"])
    #expect(before?.reported[SetupKey(.stream, "acceleration")] == nil && before?.isInSync == true)
    #expect(
      done
        == .done(
          evidence: .readback,
          data: [
            "profile": "calm", "differences": ["settings/tx_dbm removed", "stream/acceleration added"],
            "in_sync": true,
          ]))
    #expect(after?.overlay == [] && after?.isInSync == true)
    #expect(unknown == .failed(.invalid("there is no profile gone")))
  }
}

extension EventLog {
  /// Documents as they were published.
  var configurations: [ConfigurationReport] {
    events.compactMap { if case .configuration(let report) = $0.event { report } else { nil } }
  }
}
