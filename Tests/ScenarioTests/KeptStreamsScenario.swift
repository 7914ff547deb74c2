import FleetModel
import Simulator
import Storage
import Support
import Testing
import VirtualTime

@testable import SeededFaults

/// Streamed samples that a gateway keeps for exports, and how somebody is rid of them.
@Suite(.timeLimit(.minutes(20))) struct KeptStreamsScenario {
  /// Plays `body` with a gateway that keeps what its board streams.
  private func play<Result: Sendable>(
    maximumSize: Int64 = 500_000_000, _ body: @escaping @Sendable (Rig, Store) async -> Result
  ) throws -> Result {
    let world = SeededWorld(seed: 1)
    let radio = SimulatedRadio(
      boards: GatewayParts.boards(1, seed: 1), air: Air(seed: 1), timekeeper: world, executor: world)
    var configuration = try GatewayParts.configuration(boards: 1, seed: 1)
    configuration.storage.streams.keep = .seconds(86_400)
    configuration.storage.streams.maximumSize = maximumSize
    let store = try Store(inMemoryOn: world)
    let parts = GatewayParts(
      radio: radio, configuration: configuration, timekeeper: world, store: store, storeExecutor: world,
      seed: 1)
    let outcome = world.run(atMost: .seconds(3_600)) {
      await parts.run { broker in
        let rig = Rig(depth: .simulated, broker: broker, timekeeper: world, hand: SimulatedHand(radio: radio))
        return await body(rig, store)
      }
    }
    return try #require(outcome ?? nil, "the world stopped at \(world.uptime)")
  }

  @Test func `what a board streams is kept, and health says how much`() throws {
    let (streams, health) = try play { rig, store -> ([KeptStream], String) in
      await rig.isConnected(Rig.boards(1)[0])
      try? await rig.timekeeper.sleep(for: .seconds(60))
      let health = await rig.broker.message {
        $0.topic.hasSuffix("/health") && $0.says(#""kept_ok":1"#) && !$0.says(#""kept_samples":0"#)
      }.text
      return ((try? await store.kept.streams()) ?? [], health)
    }
    #expect(Set(streams.map(\.stream)).isSuperset(of: ["acceleration"]))
    #expect(streams.contains { $0.samples > 1_000 && $0.lost == 0 && $0.isRunning })
    #expect(health.contains("kept_oldest_s") && health.contains(#""kept_dropped":0"#), "\(health)")
  }

  @Test
  func `F233 where more is streamed than there may be, the newest is what is kept, and an event says so`()
    throws
  {
    let (event, streams, now) = try play(maximumSize: 20_000) {
      rig, store -> (String, [KeptStream], Timestamp) in
      let event = await rig.broker.message { $0.topic.hasSuffix("/event/kept-streams") }.text
      try? await rig.timekeeper.sleep(for: .seconds(120))
      return (event, (try? await store.kept.streams()) ?? [], rig.timekeeper.now)
    }
    #expect(event.contains(#""event_type":"cut""#) && event.contains("storage.streams.max_size"), "\(event)")
    let stream = try #require(streams.first { $0.stream == "acceleration" })
    #expect(stream.bytes < 60_000 && now - stream.ended < .seconds(15))
  }

  @Test func `F235 on a disk without room what is kept goes, and comes back with the room`() throws {
    let (dropped, recovered, left) = try play { rig, store -> (String, String, Int) in
      await rig.isConnected(Rig.boards(1)[0])
      try? await rig.timekeeper.sleep(for: .seconds(60))
      await store.rehearse(.low)
      let dropped = await rig.broker.message { $0.topic.hasSuffix("/event/kept-streams") }.text
      let left = (try? await store.kept.statistics().amount.samples) ?? -1
      await store.rehearse(nil)
      let recovered = await rig.broker.message {
        $0.topic.hasSuffix("/event/kept-streams") && $0.says("recovered")
      }.text
      return (dropped, recovered, left)
    }
    #expect(dropped.contains(#""event_type":"dropped""#), "\(dropped)")
    #expect(left == 0 && recovered.contains("recovered"), "\(left) \(recovered)")
  }

  @Test func `F236 sessions are deleted once, whoever asks again, and only when that is confirmed`() throws {
    let (texts, before, after) = try play { rig, store -> ([String], Int, Int) in
      await rig.isConnected(Rig.boards(1)[0])
      try? await rig.timekeeper.sleep(for: .seconds(60))
      let unconfirmed = await rig.command("sessions-delete", #""all":true"#)
      let preview = await rig.command("sessions-delete", #""all":true,"preview":true"#)
      let before = (try? await store.kept.statistics().amount.samples) ?? -1
      let done = await rig.command("sessions-delete", #""all":true,"confirm":"test""#)
      try? await rig.timekeeper.sleep(for: .seconds(30))
      let kept = (try? await store.kept.statistics().amount.samples) ?? -1
      let id = done.firstMatch(of: /"id":"([^"]*)"/).map { String($0.1) } ?? ""
      let mark = await rig.broker.mark
      await rig.broker.send(
        "metafleet/gateway/test/cmd/sessions-delete",
        #"{"id":"\#(id)","args":{"all":true,"confirm":"test"}}"#)
      let again = await rig.broker.message(after: mark) {
        $0.topic.hasSuffix("/reply/sessions-delete") && $0.says("\"ok\"")
      }.text
      let after = (try? await store.kept.statistics().amount.samples) ?? -1
      return ([unconfirmed, preview, done, again], before, after - kept)
    }
    for problem in texts.flatMap(DeclaredReply.problems) { Issue.record("\(problem)") }
    #expect(texts[0].contains("\"invalid\"") && texts[0].contains("confirm"), "\(texts[0])")
    #expect(before > 1_000 && texts[1].contains("\"running\":true"), "\(texts[1])")
    #expect(texts[2].contains("\"ok\":true") && !texts[2].contains(#""deleted":0"#), "\(texts[2])")
    #expect(texts[3].contains("duplicate") && after >= 0, "\(texts[3])")
  }
}
