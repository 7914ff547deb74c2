import Dialects
import FleetModel
import Support
import Testing

/// What boards do by themselves because a macro makes it at every start, and how it goes again (MQTT contract 3.6,
/// 3.7).
@Suite(.timeLimit(.minutes(20))) struct RecordedReactionScenario {
  private static let play = #"{"verb":"led","args":{"state":"PLAY"}}"#

  private static func played(
    _ body: @escaping @Sendable (Rig, BoardID) async -> [String]
  ) async throws -> [String] {
    let board = Rig.boards(1)[0]
    return try #require(
      try await Rig.play(at: .simulated, boards: 1) { rig -> [String] in
        await rig.isConnected(board)
        return await body(rig, board)
      })
  }

  /// The rows of one kind in an answer to `read` `resources`.
  private static func rows(_ kind: String, in text: String) -> Int {
    guard let start = text.firstRange(of: "\"\(kind)\":[")?.upperBound else { return -1 }
    let rest = text[start...]
    guard !rest.hasPrefix("]"), let end = rest.firstRange(of: "}]")?.lowerBound else { return 0 }
    return rest[..<end].matches(of: /"slot"/).count
  }

  @Test func `a reaction in a macro is there behind a reset, and can be removed as everybody's`() async throws
  {
    let bind = #"{"verb":"event-bind","args":{"name":"press","source":"button","action":\#(Self.play)}}"#
    let texts = try await Self.played { rig, board in
      [
        await rig.command("macro-record", #""name":"light","at_boot":true,"action":\#(bind)"#, on: board),
        await rig.command("reset", on: board),
        await rig.command("read", #""what":"resources""#, on: board),
        await rig.command("event-remove", #""all":true,"foreign":true"#, on: board),
        await rig.command("read", #""what":"resources""#, on: board),
      ]
    }
    #expect(texts[0].contains(#""slot":0"#) && texts[0].contains(#""packets":2"#), "\(texts[0])")
    #expect(Self.rows("events", in: texts[2]) == 1 && Self.rows("macros", in: texts[2]) == 1, "\(texts[2])")
    #expect(texts[3].contains(#""removed":["event/0"]"#), "\(texts[3])")
    #expect(Self.rows("events", in: texts[4]) == 0, "\(texts[4])")
  }

  @Test func `chains, timers and what they set off are made at a start, and not before`() async throws {
    let actions = [
      #"{"verb":"processor-create","args":{"name":"presses","from":"switch","chain":["counter"],"to":[]}}"#,
      #"{"verb":"event-bind","args":{"name":"press","source":"processor:presses","action":\#(Self.play)}}"#,
      #"{"verb":"timer-create","args":{"name":"beat","period_ms":60000,"action":\#(Self.play)}}"#,
    ].joined(separator: ",")
    let texts = try await Self.played { rig, board in
      [
        await rig.command("macro-record", #""name":"all","at_boot":true,"action":[\#(actions)]"#, on: board),
        await rig.command("read", #""what":"resources""#, on: board),
        await rig.command("reset", on: board),
        await rig.command("read", #""what":"resources""#, on: board),
      ]
    }
    #expect(texts[0].contains("\"ok\":true"), "\(texts[0])")
    let kinds = ["processors", "timers", "events"]
    #expect(kinds.map { Self.rows($0, in: texts[1]) } == [0, 0, 0], "\(texts[1])")
    #expect(kinds.map { Self.rows($0, in: texts[3]) } == [1, 1, 2], "\(texts[3])")
  }

  @Test func `what is set off by itself must not restart the board at every start`() async throws {
    let bind = #"{"verb":"event-bind","args":{"name":"a","source":"charge","action":{"verb":"reset"}}}"#
    let texts = try await Self.played { rig, board in
      [await rig.command("macro-record", #""name":"trap","at_boot":true,"action":\#(bind)"#, on: board)]
    }
    #expect(texts[0].contains("\"invalid\"") && texts[0].contains("resets at every start"), "\(texts[0])")
  }

  @Test func `a timer takes along what waits for it`() async throws {
    let texts = try await Self.played { rig, board in
      [
        await rig.command("timer-create", #""name":"minute","period_ms":60000"#, on: board),
        await rig.command(
          "event-bind", #""name":"tick","source":"timer:minute","action":\#(Self.play)"#, on: board),
        await rig.command("timer-remove", #""name":"minute""#, on: board),
        await rig.command("read", #""what":"resources""#, on: board),
        await rig.command("event-remove", #""name":"tick""#, on: board),
      ]
    }
    #expect(texts[2].contains(#""removed":["event/0","timer/minute"]"#), "\(texts[2])")
    #expect(Self.rows("events", in: texts[3]) == 0 && Self.rows("timers", in: texts[3]) == 0, "\(texts[3])")
    #expect(texts[4].contains("\"invalid\""), "\(texts[4])")
  }

  @Test func `ticks of a timer are a stream, and stop with it`() async throws {
    let texts = try await Self.played { rig, board in
      let made = await rig.command(
        "timer-create", #""name":"beat","period_ms":500,"to":["stream"]"#, on: board)
      let record = await rig.broker.text {
        $0.topic == "metafleet/board/\(board)/record/beat" && $0.says("beat_ticks")
      }
      return [made, record, await rig.command("timer-remove", #""all":true"#, on: board)]
    }
    #expect(texts[0].contains("\"ok\":true"), "\(texts[0])")
    #expect(texts[1].contains("\"beat_ticks\":1"), "\(texts[1])")
    #expect(texts[2].contains(#""removed":["timer/beat"]"#), "\(texts[2])")
  }

  @Test func `F276 a reset that was ordered is told as commanded`() async throws {
    let texts = try await Self.played { rig, board in
      let mark = await rig.broker.mark
      let reset = await rig.command("reset", on: board)
      let event = await rig.broker.message(after: mark) {
        $0.topic == "metafleet/board/\(board)/event/reset"
      }.text
      return [reset, event]
    }
    #expect(texts[1].contains(#""event_type":"commanded""#), "\(texts)")
  }
}
