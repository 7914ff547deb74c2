import Dialects
import FleetModel
import Support
import Testing
import VirtualTime

/// A board stops and starts its own sensor (MQTT contract 3.6): nobody starts it against its will, and nobody counts as
/// lost what was never measured.
@Suite(.timeLimit(.minutes(20))) struct SteeredStreamScenario {
  private static let stop =
    #""name":"off","source":"button-press","action":{"verb":"stream-stop","args":{"stream":"acceleration"}}"#
  private static let start =
    #""name":"on","source":"button-release","action":{"verb":"stream-start","args":{"stream":"acceleration"}}"#

  private struct Seen: Sendable {
    var bound: [String]
    var silentSamples: Int
    var samplesAfter: Int
    var told: [String]
  }

  @Test(arguments: 1...2)
  func `a button rests a sensor, and starts it again`(board number: Int) throws {
    let board = Rig.boards(2)[number - 1]
    let outcome = try SteeredStreamScenario.play { rig, world in
      await rig.streams(board, after: 0)
      let bound = [
        await rig.command("event-bind", Self.stop, on: board),
        await rig.command("event-bind", Self.start, on: board),
      ]
      await rig.press(true, board)
      try? await world.sleep(for: .seconds(1))
      let rest = await rig.broker.mark
      try? await world.sleep(for: .seconds(30))
      let silentSamples = await Self.samples(rig, board, after: rest)
      let wake = await rig.broker.mark
      await rig.press(false, board)
      await rig.records(board, after: wake)
      try? await world.sleep(for: .seconds(10))
      let told = await rig.broker.published.filter {
        $0.topic.hasPrefix("metafleet/board/\(board)/event/") && !$0.topic.hasSuffix("/button")
      }
      return Seen(
        bound: bound, silentSamples: silentSamples, samplesAfter: await Self.samples(rig, board, after: wake),
        told: told.map(\.topic))
    }
    let seen = try #require(outcome)
    for reply in seen.bound { #expect(reply.contains("\"ok\":true"), "\(reply)") }
    #expect(seen.silentSamples == 0)
    #expect(seen.samplesAfter > 0)
    #expect(!seen.told.contains { $0.hasSuffix("data-gap") || $0.hasSuffix("stream-silent") }, "\(seen.told)")
  }

  @Test func `actions follow when the stream is configured otherwise`() throws {
    let board = Rig.boards(1)[0]
    let outcome = try SteeredStreamScenario.play { rig, _ -> [String] in
      await rig.streams(board, after: 0)
      await rig.command("stream-stop", #""stream":"acceleration""#, on: board)
      var replies: [String] = []
      for mode in ["imuplus", "compass"] {
        replies.append(
          await rig.command("stream-start", #""stream":"quaternion","mode":"\#(mode)""#, on: board))
        if mode == "imuplus" {
          replies.append(
            await rig.command(
              "event-bind",
              #""name":"on","source":"button","action":{"verb":"stream-start","args":{"stream":"quaternion"}}"#,
              on: board))
        }
        replies.append(await rig.command("read", #""what":"resources""#, on: board))
      }
      return replies
    }
    let texts = try #require(outcome)
    for text in texts { #expect(text.contains("\"ok\":true"), "\(text)") }
    // Whether the gyroscope, module 13, and the magnetometer, module 15, are started with it.
    #expect(texts[2].contains("0101ff130202") && !texts[2].contains("0101ff150202"), "\(texts[2])")
    #expect(texts[4].contains("0101ff150202") && !texts[4].contains("0101ff130202"), "\(texts[4])")
  }

  private static func play<Result: Sendable>(
    _ body: @escaping @Sendable (Rig, SeededWorld) async -> Result
  ) throws -> Result? {
    let world = SeededWorld(seed: 1)
    let parts = try SimulatedRig(world: world, boards: 2)
    return world.run {
      await parts.run { broker in
        await body(
          Rig(depth: .simulated, broker: broker, timekeeper: world, hand: SimulatedHand(radio: parts.radio)),
          world)
      }
    } ?? nil
  }

  private static func samples(_ rig: Rig, _ board: BoardID, after mark: Int) async -> Int {
    await rig.broker.published[mark...].count { $0.topic == "metafleet/board/\(board)/record/acceleration" }
  }
}
