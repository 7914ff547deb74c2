import Dialects
import FleetModel
import Support
import Testing

/// The thin thread through everything, at every depth: boards come up, stream, obey, and come back when they are lost.
@Suite(.timeLimit(.minutes(20))) struct FirstLightScenario {
  private static let board = "metafleet/board/c0ffee000001"

  @Test(arguments: Depth.here)
  func `boards come up and stream`(depth: Depth) async throws {
    let outcome = try await Rig.play(at: depth, boards: 2) { rig in
      var texts: [String] = []
      for board in ["c0ffee000001", "c0ffee000002"] {
        texts.append(
          await rig.broker.text {
            $0.topic == "metafleet/board/\(board)/availability" && $0.says("connected")
          })
        texts.append(await rig.broker.text { $0.topic == "metafleet/board/\(board)/record/acceleration" })
        texts.append(await rig.broker.text { $0.topic == "metafleet/board/\(board)/live/temperature-die" })
      }
      return texts
    }
    let texts = try #require(outcome)
    #expect(texts[0].contains("\"state\":\"online\""))
    #expect(texts[1].contains("\"seq\":0") && texts[1].contains("\"gap_before\":0"))
    #expect(texts[4].contains("\"seq\":0"))
  }

  @Test(arguments: Depth.here)
  func `a light is shown and read back`(depth: Depth) async throws {
    let outcome: [String]? = try await Rig.play(at: depth, boards: 1) { rig in
      await rig.broker.text { $0.topic == "\(Self.board)/availability" && $0.says("connected") }
      // For longer than a busy computer takes to publish it, on a bus where time goes ten times as fast.
      guard let board = BoardID("c0ffee000001") else { return [] }
      let reply = await rig.command("led", #""color":"blue","repeat":200"#, on: board)
      // What was refused is shown by nobody.
      guard reply.contains("\"ok\":true") else { return [reply, ""] }
      let led = await rig.broker.text { $0.topic == "\(Self.board)/led" && $0.says("\"ON\"") }
      return [reply, led]
    }
    let texts = try #require(outcome)
    #expect(
      texts[0].contains("\"evidence\":\"readback\"") && texts[0].contains("\"playing\":true"), "\(texts[0])")
    #expect(texts[1].contains("\"until_ms\""))
  }

  @Test(arguments: Depth.here)
  func `a reset is proved by the boards return`(depth: Depth) async throws {
    let outcome = try await Rig.play(at: depth, boards: 1) { rig in
      await rig.broker.text { $0.topic == "\(Self.board)/availability" && $0.says("connected") }
      await rig.broker.send("\(Self.board)/cmd/reset", "PRESS")
      return await rig.broker.text { $0.topic == "\(Self.board)/reply/reset" && $0.says("\"ok\"") }
    }
    let text = try #require(outcome)
    #expect(text.contains("\"evidence\":\"readback\"") && text.contains("\"boot\":2"))
  }

  @Test(arguments: Depth.here)
  func `a lost link is told and made anew`(depth: Depth) async throws {
    let outcome = try await Rig.play(at: depth, boards: 2) { rig in
      await rig.broker.text { $0.topic == "\(Self.board)/record/acceleration" }
      guard let id = BoardID("c0ffee000001") else { return "" }
      let mark = await rig.broker.mark
      await rig.hand.loseLink(id)
      let lost = await rig.broker.text { $0.topic == "\(Self.board)/event/link-lost" }
      // A new link is a new session, numbered from 0 again.
      await rig.broker.message(after: mark) {
        $0.topic == "\(Self.board)/record/acceleration" && $0.says("\"seq\":0,")
      }
      return lost
    }
    let text = try #require(outcome)
    #expect(text.contains("\"event_type\":\"lost\""))
  }
}
