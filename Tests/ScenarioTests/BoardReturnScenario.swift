import Dialects
import FleetModel
import Simulator
import Storage
import Support
import Testing
import VirtualTime

@testable import Fleet
@testable import SeededFaults

/// A board that is commented out in the file and comes back is the same board (fault F200).
@Suite(.timeLimit(.minutes(20))) struct BoardReturnScenario {
  /// A board's place on the disk, and what runs of a gateway leave of it there.
  private struct Home: Sendable {
    let world: SeededWorld
    let store: Store
    let both: FleetConfiguration
    let board: BoardID

    init() throws {
      world = SeededWorld(seed: 1)
      store = try Store(inMemoryOn: world)
      both = try GatewayParts.configuration(boards: 2, seed: 1)
      board = both.boards[0].board
    }

    /// The file without the first board.
    var without: FleetConfiguration {
      var file = both
      file.boards.removeFirst()
      return file
    }

    var memory: BoardMemory? { get async { (try? await store.boards.memory(of: board)) ?? nil } }

    func parts(_ configuration: FleetConfiguration, reloading: FleetConfiguration? = nil) -> GatewayParts {
      GatewayParts(
        radio: SimulatedRadio(
          boards: GatewayParts.boards(2, seed: 1), air: Air(seed: 1), timekeeper: world, executor: world),
        configuration: configuration, timekeeper: world, store: store, storeExecutor: world, seed: 1,
        reloading: reloading)
    }

    func pass(_ span: Duration) async { try? await world.sleep(for: span) }

    func rig(_ broker: RecordingBroker, _ parts: GatewayParts) -> Rig {
      Rig(depth: .simulated, broker: broker, timekeeper: world, hand: NoHand())
    }

    /// The first run: a verb changes what the board streams.
    func livesWithOverlay() async {
      let parts = parts(both)
      _ = await parts.run { broker in
        let rig = rig(broker, parts)
        await rig.isConnected(board)
        await pass(.seconds(10))
        await rig.command("stream-stop", #""stream":"temperature-die""#, on: board)
        await pass(.seconds(10))
      }
    }
  }

  /// Nobody touches these worlds.
  private struct NoHand: Hand {
    func loseLink(_ board: BoardID) async {}
    func setInRange(_ isInRange: Bool, _ board: BoardID) async {}
    func switchAdapterOff() async {}
    func plugIn() async {}
    func pullOut() async {}
  }

  /// What was remembered before, while it was away, and when it was back; and whether its overlay counted then.
  private struct Journey: Sendable {
    var before, away, back: BoardMemory?
    var topicsAway: [String] = []
    var streams: Set<String> = []
  }

  private static func streams(_ gateway: Gateway, of board: BoardID) async -> Set<String> {
    guard let supervisor = await gateway.supervisors[board] else { return [] }
    return Set(await supervisor.desiredSetup.streams.keys)
  }

  private static func expect(_ journey: Journey?) throws {
    let journey = try #require(journey)
    let (before, away) = (try #require(journey.before), try #require(journey.away))
    let (overlay, kept) = (StoredSetup(before.overlay).overlay, StoredSetup(away.overlay).overlay)
    #expect(before.leftSince == nil && before.description != nil && overlay != SetupOverlay())
    #expect(away.leftSince != nil && away.description == before.description && kept == overlay)
    #expect(journey.topicsAway == [])
    #expect(journey.back?.leftSince == nil && journey.back?.bootCount == before.bootCount)
    #expect(journey.streams == ["acceleration"], "the overlay of the verb counts")
  }

  @Test func `F200 a board that is commented out for one start comes back as it was`() throws {
    let home = try Home()
    let journey = home.world.run(atMost: .seconds(1_200)) { () -> Journey in
      var journey = Journey()
      await home.livesWithOverlay()
      journey.before = await home.memory
      let second = home.parts(home.without)
      journey.topicsAway =
        await second.run { broker in
          await home.pass(.seconds(40))
          return await broker.retained.keys.filter { $0.contains(home.board.description) }
        } ?? ["?"]
      journey.away = await home.memory
      let third = home.parts(home.both)
      journey.streams =
        await third.run { broker in
          await home.rig(broker, third).isConnected(home.board)
          await home.pass(.seconds(10))
          return await Self.streams(third.gateway, of: home.board)
        } ?? []
      journey.back = await home.memory
      return journey
    }
    try Self.expect(journey)
  }

  @Test func `F200 a board that is commented out for one reload comes back as it was`() throws {
    let home = try Home()
    let file = FileInMemory(home.without)
    let journey = home.world.run(atMost: .seconds(1_200)) { () -> Journey in
      await home.livesWithOverlay()
      let parts = GatewayParts(
        radio: SimulatedRadio(
          boards: GatewayParts.boards(2, seed: 1), air: Air(seed: 1), timekeeper: home.world,
          executor: home.world),
        configuration: home.both, timekeeper: home.world, store: home.store, storeExecutor: home.world,
        seed: 1, reload: { () async throws(CommandFailure) in file.checked })
      return await parts.run { broker -> Journey in
        var journey = Journey()
        await home.rig(broker, parts).isConnected(home.board)
        await home.pass(.seconds(10))
        journey.before = await home.memory
        _ = await parts.gateway.reload()
        await home.pass(.seconds(10))
        journey.away = await home.memory
        journey.topicsAway = await broker.retained.keys.filter { $0.contains(home.board.description) }
        file.edit { $0.configuration = home.both }
        let mark = await broker.mark
        _ = await parts.gateway.reload()
        await home.rig(broker, parts).isConnected(home.board, after: mark)
        await home.pass(.seconds(10))
        journey.streams = await Self.streams(parts.gateway, of: home.board)
        journey.back = await home.memory
        return journey
      } ?? Journey()
    }
    try Self.expect(journey)
  }

  @Test func `F200 forget, and thirty days, end what is remembered of a board that left`() throws {
    let home = try Home()
    let outcome = home.world.run(atMost: .seconds(1_200)) { () -> [String] in
      await home.livesWithOverlay()
      let forgetting = home.parts(home.without)
      let reply =
        await forgetting.run { broker in
          await home.pass(.seconds(5))
          await broker.send(
            "metafleet/gateway/test/cmd/forget", #"{"id":"f","args":{"board":"\#(home.board)"}}"#)
          return await broker.text {
            $0.topic == "metafleet/gateway/test/reply/forget" && $0.says("\"ok\"")
          }
        } ?? ""
      var found = [reply, await home.memory == nil ? "gone" : "there"]
      // The same again, a month ago.
      await home.livesWithOverlay()
      for days in [29, 30] {
        try? await home.store.boards.leave(home.board, at: home.world.now - .seconds(days * 86_400))
        let later = home.parts(home.without)
        _ = await later.run { _ in await home.pass(.seconds(5)) }
        found.append(await home.memory == nil ? "gone" : "there")
      }
      return found
    }
    let found = try #require(outcome)
    #expect(found[0].contains("\"ok\":true") && found[0].contains("\"topics_cleared\":0"), "\(found[0])")
    #expect(Array(found.dropFirst()) == ["gone", "there", "gone"])
  }
}
