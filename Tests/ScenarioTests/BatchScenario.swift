import Dialects
import FleetModel
import Support
import Testing

/// Several verbs as one command, and one verb to several boards (MQTT contract 3.11, 4.2), at every depth.
@Suite(.timeLimit(.minutes(20))) struct BatchScenario {
  private static let board = "metafleet/board/c0ffee000001"

  private static func reply(to commands: String, at depth: Depth) async throws -> String {
    let outcome = try await Rig.play(at: depth, boards: 1) { rig in
      await rig.broker.text { $0.topic == "\(board)/availability" && $0.says("connected") }
      await rig.broker.send("\(board)/cmd/batch", #"{"id":"one","args":{"commands":[\#(commands)]}}"#)
      return await rig.broker.text { $0.topic == "\(board)/reply/batch" && $0.isFinalReply }
    }
    return try #require(outcome)
  }

  @Test(arguments: Depth.here)
  func `a list of verbs is carried out in its order, a reset last`(depth: Depth) async throws {
    let text = try await Self.reply(
      to: """
        {"verb":"led","args":{"color":"blue","repeat":4}},{"verb":"explain"},\
        {"verb":"read","args":{"what":"battery"}},{"verb":"reset"}
        """, at: depth)
    #expect(text.contains("\"ok\":true") && !text.contains("skipped"), "\(text)")
    #expect(
      text.contains("\"playing\":true") && text.contains("battery_pct") && text.contains("\"boot\":2"),
      "\(text)")
  }

  @Test(arguments: Depth.here)
  func `one that fails ends it, and the answer says which`(depth: Depth) async throws {
    let text = try await Self.reply(
      to: #"{"verb":"profile","args":{"name":"nowhere"}},{"verb":"identify"}"#, at: depth)
    #expect(text.contains("\"code\":\"invalid\"") && text.contains("commands[0] (profile): "))
    #expect(text.contains(#"{"verb":"identify","stage":"skipped"}"#))
  }

  @Test(arguments: Depth.here)
  func `what is read from a group is answered by each board`(depth: Depth) async throws {
    let boards = (1...3).map { "c0ffee00000\($0)" }
    let outcome = try await Rig.play(at: depth, boards: 3) { rig in
      for board in boards {
        await rig.broker.text {
          $0.topic == "metafleet/board/\(board)/availability" && $0.says("connected")
        }
      }
      await rig.broker.send("metafleet/group/all/cmd/read", #"{"id":"all","args":{"what":"battery"}}"#)
      var texts: [String] = []
      for board in boards {
        texts.append(
          await rig.broker.text {
            $0.topic == "metafleet/board/\(board)/reply/read" && $0.says("\"ok\"")
          })
      }
      return texts
    }
    for (board, text) in zip(boards, try #require(outcome)) {
      #expect(text.contains("\"id\":\"all.\(board)\"") && text.contains("battery_pct"))
    }
  }
}
