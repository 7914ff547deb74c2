import FleetModel
import Storage
import Testing
import VirtualTime

@testable import Fleet

/// Forty boards on two adapters in virtual time, with processes that are killed wherever they are.
@Suite(.timeLimit(.minutes(20))) struct RolloutRunnerTests {
  /// Plays a rollout to its end; each process is killed after so much work, nil: none is.
  private static func play(
    _ rig: RolloutRig, killing step: Int? = nil, _ change: (inout RolloutOptions) -> Void = { _ in }
  ) throws -> RolloutReport {
    let order = rig.order(change)
    for round in 0..<2_000 {
      // Never twice as much as before, so that in the end every moment was the last of some process.
      let jobs = step.map { $0 + round * 37 % $0 }
      let end = rig.process(dyingAfter: jobs) { runner -> RolloutReport? in
        if await runner.reports.isEmpty { _ = await runner.begin(order, from: []) }
        while await runner.live != nil { try? await rig.world.sleep(for: .seconds(30)) }
        return await runner.reports.first
      }
      if let report = end ?? nil { return report }
    }
    throw NeverOver()
  }

  private struct NeverOver: Error {}

  /// U8: counts add up in every document, one board at a time is updated over an adapter, and none is begun before its
  /// phase.
  private static func check(_ rig: RolloutRig) throws {
    let played = try rig.run { _ in await (rig.reports, rig.effects) }
    let (reports, effects) = played
    for report in reports {
      let parts = RolloutCount.allCases.filter { $0 != .total }.compactMap { report.counts[$0] }
      #expect(parts.reduce(0, +) == rig.boards.count && report.counts[.total] == rig.boards.count)
    }
    for effect in effects {
      let others = effects.filter { other in
        other != effect && other.time <= effect.time && effect.time < other.time + RolloutRig.takes
      }
      #expect(!others.contains { rig.adapter(of: $0.board) == rig.adapter(of: effect.board) })
    }
    let first = Set(rig.boards.prefix(2))
    let firstEnd =
      effects.filter { first.contains($0.board) }.map { $0.time + RolloutRig.takes }.max() ?? .zero
    let rest = effects.filter { !first.contains($0.board) }.map(\.time)
    #expect(rest.allSatisfy { $0 >= firstEnd + .seconds(600) })
    for time in rest { #expect(rest.count { $0 > time - .seconds(3_600) && $0 <= time } <= 30) }
  }

  @Test(arguments: [nil, 900, 400, 150])
  func `F256 F258 U8 forty boards get it once each, however often the gateway is killed`(step: Int?) throws {
    let rig = try RolloutRig()
    let end = try Self.play(rig, killing: step)
    #expect(end.phase == .done && end.counts[.done] == 40, "\(end)")
    let effects = try rig.run { _ in await rig.effects }
    #expect(effects.map(\.board).sorted() == rig.boards)
    try Self.check(rig)
  }

  @Test(arguments: [nil, 400])
  func `F257 D20 a first one that fails ends it, and nobody else is begun`(step: Int?) throws {
    let rig = try RolloutRig(ends: [2: .failed])
    let end = try Self.play(rig, killing: step) { $0.retries = 1 }
    #expect(end.phase == .aborted && end.counts[.failed] == 1 && end.counts[.skipped] == 38, "\(end)")
    #expect(end.reason?.contains("one of the first, failed") == true)
    let effects = try rig.run { _ in await rig.effects }
    #expect(Set(effects.map(\.board)) == Set(rig.boards.prefix(2)))
    try Self.check(rig)
  }

  @Test(arguments: [nil, 400])
  func `F257 D12 D20 a board that is left without firmware stops the rest`(step: Int?) throws {
    let rig = try RolloutRig(ends: [20: .stranded])
    let end = try Self.play(rig, killing: step)
    #expect(end.phase == .aborted && end.counts[.stranded] == 1, "\(end)")
    #expect(end.reason == "1 board waits in the bootloader, without firmware")
    #expect(end.rows.first == .init(rig.boards[19], .stranded, "its checksum is wrong"))
    let effects = try rig.run { _ in await rig.effects }
    let stranded = try #require(effects.last { $0.board == rig.boards[19] })
    // What is told a moment later may still be begun before that.
    #expect(effects.allSatisfy { $0.time <= stranded.time + RolloutRig.takes + .seconds(20) })
    try Self.check(rig)
  }

  /// How far the rollout is when the gateway ends, and goes on behind that by itself.
  @Test(arguments: [RolloutPhase.soaking, .rolling])
  func `F258 a restart at rest goes on by itself`(phase: RolloutPhase) throws {
    let rig = try RolloutRig(6)
    let order = rig.order()
    let reached = try rig.run { runner -> RolloutPhase? in
      _ = await runner.begin(order, from: [])
      while let now = await runner.reports.first?.phase, now != phase {
        try? await rig.world.sleep(for: .seconds(5))
      }
      // Nothing is under way in between two boards.
      try? await rig.world.sleep(for: RolloutRig.takes)
      return await runner.reports.first?.phase
    }
    #expect(reached == phase)
    let end = try rig.run { runner -> RolloutReport? in
      try? await rig.world.sleep(for: .seconds(86_400))
      return await runner.reports.first
    }
    #expect(end?.phase == .done && end?.counts[.done] == 6)
  }

  @Test func `F258 nothing is begun or changed before what is stored was read`() throws {
    let rig = try RolloutRig(4)
    let order = rig.order()
    let codes = try rig.run(takesUp: false) { runner -> [CommandFailure.Code?] in
      var outcomes = [await runner.begin(order, from: []), await runner.change("fw-1", .pause)]
      await runner.began(.failed)
      await runner.change(to: FleetConfiguration())
      try? await rig.world.sleep(for: .seconds(60))
      outcomes.append(await runner.begin(order, from: []))
      return outcomes.map { if case .failed(let failure) = $0 { failure.code } else { nil } }
    }
    #expect(codes == [.busy, .busy, nil])
  }

  @Test func `F259 an end that cannot be written down is taken when it can, and is no failure`() throws {
    let rig = try RolloutRig(4, ends: [1: .postponed])
    let order = rig.order { $0.retries = 0 }
    let report = try rig.run { runner -> RolloutReport? in
      _ = await runner.begin(order, from: [])
      try? await rig.world.sleep(for: .seconds(30))
      await rig.store.rehearse(.full)
      try? await rig.world.sleep(for: .seconds(300))
      await rig.store.rehearse(nil)
      try? await rig.world.sleep(for: .seconds(60))
      return await runner.reports.first
    }
    #expect(report?.counts[.failed] == 0 && report?.phase == .canary)
  }

  @Test func `F256 nothing is begun that cannot be written to disk`() throws {
    let rig = try RolloutRig(4)
    let order = rig.order()
    let (refused, before, after, told) = try rig.run { runner -> (CommandOutcome, Int, Int, Int) in
      await rig.store.rehearse(.full)
      let refused = await runner.begin(order, from: [])
      await rig.store.rehearse(nil)
      _ = await runner.begin(order, from: [])
      try? await rig.world.sleep(for: .seconds(300))
      // The first two have it by now.
      await rig.store.rehearse(.full)
      let reports = await rig.reports.count
      try? await rig.world.sleep(for: .seconds(3_600))
      let (before, told) = await (rig.effects.count, rig.reports.count - reports)
      await rig.store.rehearse(nil)
      try? await rig.world.sleep(for: .seconds(7_200))
      return await (refused, before, rig.effects.count, told)
    }
    guard case .failed(let failure) = refused else {
      Issue.record("it was not refused")
      return
    }
    #expect(failure.code == .internal && before == 2 && after == 4)
    #expect(told == 0, "nothing happened that could be told")
  }

  @Test func `F258 what is paused stays so behind a restart, and goes on when somebody says so`() throws {
    let rig = try RolloutRig(6)
    let order = rig.order()
    let paused = try rig.run { runner in
      _ = await runner.begin(order, from: [])
      try? await rig.world.sleep(for: .seconds(30))
      return await runner.change("fw-1", .pause)
    }
    #expect(
      paused == .done(evidence: nil, data: ["rollout": "fw-1", "phase": "canary", "paused": true]))
    let (begun, end) = try rig.run { runner -> (Int, RolloutReport?) in
      try? await rig.world.sleep(for: .seconds(86_400))
      let begun = await rig.effects.count
      _ = await runner.change("fw-1", .resume)
      try? await rig.world.sleep(for: .seconds(86_400))
      return await (begun, runner.reports.first)
    }
    #expect(begun == 2 && end?.phase == .done && end?.counts[.done] == 6)
  }

  @Test func `one at a time, and no id twice; who asks for one that there is not learns it`() throws {
    let rig = try RolloutRig(4)
    let order = rig.order()
    let codes = try rig.run { runner -> [CommandFailure.Code?] in
      var outcomes = [await runner.begin(order, from: []), await runner.begin(order, from: [])]
      outcomes.append(await runner.change("fw-2", .pause))
      outcomes.append(await runner.change("fw-1", .abort("asked for")))
      try? await rig.world.sleep(for: .seconds(300))
      outcomes += [await runner.begin(order, from: []), await runner.change("fw-1", .resume)]
      var dry = order
      (dry.id, dry.isDryRun) = ("fw-3", true)
      outcomes.append(await runner.begin(dry, from: []))
      return outcomes.map { if case .failed(let failure) = $0 { failure.code } else { nil } }
    }
    #expect(codes == [nil, .busy, .invalid, nil, .invalid, .invalid, nil])
    let reports = try rig.run { runner in await runner.reports }
    #expect(reports.map(\.id) == ["fw-1"] && reports[0].reason == "asked for")
  }
}
