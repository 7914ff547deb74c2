import BoardKit
import FleetModel
import Storage
import Testing
import VirtualTime

@testable import Fleet

/// What was in memory when the gateway was killed is a gap that the next session tells (fault F136).
@Suite(.timeLimit(.minutes(20)))
struct GatewayRestartTests {
  private static func killed() -> BoardMemory {
    var memory = BoardMemory(board: .number(1))
    memory.cutOff = [1, 2].map {
      OpenStream(board: .number(1), stream: "acceleration", session: .seeded($0), last: .at(Int64($0) * 100))
    }
    return memory
  }

  /// Sessions of the acceleration that began and ended.
  private static func marks(_ events: [(event: FleetEvent, at: Duration)]) -> (begun: [ULID], ended: [ULID]) {
    var (begun, ended, others): ([ULID], [ULID], Set<ULID>) = ([], [], [])
    for (event, _) in events {
      switch event {
      case .stream(.began(let stream)) where stream.stream == "acceleration": begun.append(stream.session)
      case .stream(.began(let stream)): others.insert(stream.session)
      case .stream(.ended(let session)): ended.append(session)
      default: break
      }
    }
    return (begun, ended.filter { !others.contains($0) })
  }

  private static func batches(_ events: [(event: FleetEvent, at: Duration)]) -> [SampleBatch] {
    events.compactMap { event, _ in
      if case .batch(let batch) = event, batch.stream == "acceleration" { batch } else { nil }
    }
  }

  private static func gaps(_ events: [(event: FleetEvent, at: Duration)]) -> [EventMessage] {
    events.compactMap { event, _ in
      if case .happened(let told) = event, told.kind == .dataGap { told } else { nil }
    }
  }

  @Test
  func `F136 a hole is told at once with the end of the session before it and the begin of the one behind`()
    throws
  {
    let outcome = try SupervisorRig.play(memory: Self.killed()) { rig in
      await rig.streams()
      await rig.pass(.seconds(3))
      return await rig.log.deliveries
    }
    let deliveries = try #require(outcome).filter { delivery in
      delivery.contains { if case .happened(let told) = $0 { told.kind == .dataGap } else { false } }
    }
    let marks = Self.marks(try #require(deliveries.first).map { ($0, .zero) })
    #expect(deliveries.count == 1 && marks.begun.count == 1 && marks.ended == [.seeded(1), .seeded(2)])
  }

  @Test
  func
    `F136 streams that went on when the gateway was killed have a gap, told once, which their next batch bears`()
    throws
  {
    let outcome = try SupervisorRig.play(memory: Self.killed()) { rig in
      await rig.streams()
      await rig.pass(.seconds(3))
      await rig.radio.link?.lose(LinkFailure(.linkLost, "the socket hung up"))
      await rig.streams(after: rig.world.uptime)
      await rig.pass(.seconds(3))
      return await rig.log.events
    }
    let events = try #require(outcome)
    let gaps = Self.gaps(events)
    #expect(gaps.map { $0.fields["reason"] } == ["gateway-restart", "radio"])
    let gap = try #require(gaps.first)
    #expect(gap.fields["session"]?.string == ULID.seeded(1).description)
    #expect(gap.fields["from_ms"]?.integer == Timestamp.at(100).milliseconds)
    let batches = Self.batches(events)
    let first = try #require(batches.first?.times.first)
    // The toy's period is 20 ms.
    let missing = Int(((first - .at(100)).inSeconds / 0.02).rounded()) - 1
    #expect(gap.fields["count"] == .integer(Int64(missing)) && missing > 0)
    #expect(batches.first?.gapBefore == missing)
    #expect(gap.fields["to_ms"]?.integer == batches.first?.times.first?.milliseconds)
    // What was told is not told again, by nobody.
    let marks = Self.marks(events)
    #expect(marks.ended == [.seeded(1), .seeded(2)] + marks.begun.prefix(1))
  }

  @Test func `F136 a gap that the streams' next session could not tell yet outlives a link that we end`()
    throws
  {
    let outcome = try SupervisorRig.play(plan: [.opens(.init(isSilent: true))], memory: Self.killed()) {
      rig in
      await rig.pass(.seconds(3))
      _ = await BoardDrain.begin(rig.board)
      let untold = await Self.gaps(rig.log.events).isEmpty
      let ended = await Self.marks(rig.log.events).ended
      await BoardDrain.end(rig.board)
      await rig.streams(after: rig.world.uptime)
      await rig.pass(.seconds(3))
      return (untold, ended, await Self.gaps(rig.log.events).map { $0.fields["reason"] })
    }
    let (untold, ended, reasons) = try #require(outcome)
    #expect(untold && ended.isEmpty)
    #expect(reasons == ["gateway-restart"])
  }

  @Test func `F136 what is missing while we had ended the link of a board that streams is a gap`() throws {
    let outcome = try SupervisorRig.play { rig in
      await rig.streams()
      await rig.pass(.seconds(3))
      _ = await BoardDrain.begin(rig.board)
      await rig.pass(.seconds(30))
      await BoardDrain.end(rig.board)
      await rig.streams(after: rig.world.uptime)
      await rig.pass(.seconds(3))
      return await rig.log.events
    }
    let events = try #require(outcome)
    let batches = Self.batches(events)
    let next = try #require(batches.first { $0.session != batches.first?.session })
    let last = try #require(batches.last { $0.session != next.session }?.times.last)
    let first = try #require(next.times.first)
    #expect(first - last > .seconds(30))
    // The toy's period is 20 ms.
    let missing = Int(((first - last).inSeconds / 0.02).rounded()) - 1
    #expect(next.gapBefore == missing)
    #expect(Self.gaps(events).map { $0.fields["count"] } == [.integer(Int64(missing))])
  }

  /// How a link ends.
  enum End: CaseIterable { case unwanted, stop, loss }

  @Test(
    arguments: End.allCases)
  func
    `F136 a board that is not wanted any more leaves no stream open; a gateway that stops and a lost link leave them`(
      _ end: End
    ) throws
  {
    let outcome = try SupervisorRig.play { rig in
      await rig.streams()
      await rig.pass(.seconds(3))
      switch end {
      case .unwanted: await rig.board.retire(isStopping: false)
      case .stop: await rig.board.retire(isStopping: true)
      case .loss: await rig.radio.link?.lose(LinkFailure(.linkLost, "the socket hung up"))
      }
      await rig.pass(.milliseconds(150))
      return await rig.log.events
    }
    let events = try #require(outcome)
    let marks = Self.marks(events)
    let last = try #require(Self.batches(events).last)
    #expect(marks.begun.contains(last.session))
    #expect(marks.ended.contains(last.session) == (end == .unwanted))
    #expect(Self.gaps(events).isEmpty)
  }
}
