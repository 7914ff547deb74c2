import Dialects
import FleetModel
import Support
import Testing

/// A board that was programmed by us and by others is made like new, and says so itself (MQTT contract 3.10).
@Suite(.timeLimit(.minutes(20))) struct FactoryResetScenario {
  /// One board of each model.
  static let boards = ["c0ffee000001", "c0ffee000002"]

  @Test(arguments: boards)
  func `a programmed board comes out empty`(board: String) async throws {
    let outcome = try await Rig.play(at: .simulated, boards: 2) { rig -> [String: String] in
      let dispatcher = await Dispatcher(rig, board: board)
      let made = await dispatcher.program()
      let before = await dispatcher.command("read", #""what":"resources""#)
      let length = await dispatcher.command("read", #""what":"log-length""#)
      let refused = await dispatcher.command("factory-reset", #""confirm":"\#(board)""#)
      let entries = refused.entries ?? "0"
      let reset = await dispatcher.command("factory-reset", #""confirm":"\#(board)","discard":\#(entries)"#)
      let after = await dispatcher.command("read", #""what":"resources""#)
      let foreign = await dispatcher.command("read", #""what":"settings""#)
      return [
        "made": made, "before": before, "length": length, "refused": refused, "reset": reset, "after": after,
        "settings": foreign,
      ]
    }
    let texts = try #require(outcome)
    func text(_ key: String) -> String { texts[key] ?? "" }
    #expect(!text("made").contains("\"ok\":false"), "\(text("made"))")
    for kind in Dispatcher.kinds { #expect(text("before").hasSome(kind), "\(kind): \(text("before"))") }
    #expect(text("before").contains(#""signal":"acceleration","owner":"foreign""#), "\(text("before"))")
    #expect(text("refused").contains("\"undownloaded-data\""), "\(text("refused"))")
    #expect(
      text("reset").contains(#""evidence":"readback""#)
        && text("reset").contains(#""macros":0,"loggers":0,"entries":0,"boot":2"#), "\(text("reset"))")
    for kind in Dispatcher.kinds { #expect(text("after").hasNone(kind), "\(kind): \(text("after"))") }
    #expect(text("settings").contains(#""name":"MetaWear""#), "\(text("settings"))")
  }

  @Test func `a wrong number of entries to discard changes nothing`() async throws {
    let board = Self.boards[0]
    let outcome = try await Rig.play(at: .simulated, boards: 1) { rig -> [String] in
      let dispatcher = await Dispatcher(rig, board: board)
      _ = await dispatcher.program()
      let refused = await dispatcher.command("factory-reset", #""confirm":"\#(board)","discard":1"#)
      return [refused, await dispatcher.command("read", #""what":"resources""#)]
    }
    let texts = try #require(outcome)
    #expect(texts[0].contains("\"undownloaded-data\""))
    for kind in Dispatcher.kinds { #expect(texts[1].hasSome(kind), "\(kind): \(texts[1])") }
  }

  @Test func `erased macros are seen to be gone when the board is back`() async throws {
    let board = Self.boards[0]
    let outcome = try await Rig.play(at: .simulated, boards: 1) { rig -> [String] in
      let dispatcher = await Dispatcher(rig, board: board)
      _ = await dispatcher.program()
      return [
        await dispatcher.command("macro-erase", #""confirm":"\#(board)""#),
        await dispatcher.command("macro-list", ""),
      ]
    }
    let texts = try #require(outcome)
    #expect(texts[0].contains(#""evidence":"readback","data":{"erased":1}"#), "\(texts[0])")
    #expect(texts[1].hasNone("macros"), "\(texts[1])")
  }

  @Test func `a board that sleeps is not heard again`() async throws {
    let board = Self.boards[0]
    let outcome = try await Rig.play(at: .simulated, boards: 1) { rig -> [String] in
      let dispatcher = await Dispatcher(rig, board: board)
      let reply = await dispatcher.command("sleep", #""confirm":"\#(board)""#)
      return [
        reply,
        await rig.broker.text { $0.topic == "metafleet/board/\(board)/availability" && $0.says("asleep") },
      ]
    }
    let texts = try #require(outcome)
    #expect(texts[0].contains(#""ok":true"#) && texts[0].contains(#""evidence":"response""#), "\(texts[0])")
    #expect(texts[1].contains(#""state":"offline""#), "\(texts[1])")
  }

  @Test func `an event puts the board to sleep; to make one needs the board's id`() async throws {
    let board = Self.boards[0]
    let nap = #""name":"nap","source":"button-press","action":{"verb":"sleep"}"#
    let outcome = try await Rig.play(at: .simulated, boards: 1) { rig -> [String] in
      let dispatcher = await Dispatcher(rig, board: board)
      let refused = await dispatcher.command("event-bind", nap)
      let bound = await dispatcher.command("event-bind", #"\#(nap),"confirm":"\#(board)""#)
      let mark = await rig.broker.mark
      await rig.broker.send(
        "metafleet/board/\(board)/cmd/raw", #"{"args":{"confirm":"\#(board)","hex":"fe0301010001"}}"#)
      return [
        refused, bound,
        await rig.broker.message(after: mark) {
          $0.topic == "metafleet/board/\(board)/availability" && $0.says("offline")
        }.text,
      ]
    }
    let texts = try #require(outcome)
    #expect(texts[0].contains("\"invalid\"") && texts[0].contains("confirm: \(board)"), "\(texts[0])")
    #expect(texts[1].contains("\"event_slots\":[0,1]"), "\(texts[1])")
    #expect(texts[2].contains(#""state":"offline""#), "\(texts[2])")
  }

  @Test func `a pin whose changes count tells them as events`() async throws {
    let board = Self.boards[0]
    let outcome = try await Rig.play(at: .simulated, boards: 1) { rig -> [String] in
      let dispatcher = await Dispatcher(rig, board: board)
      let set = await dispatcher.command("gpio", #""pin":1,"change":"any""#)
      // A spoofed change takes the ordinary way.
      let spoofed = await dispatcher.command("raw", #""confirm":"\#(board)","hex":"fe03050a000101""#)
      return [
        set, spoofed, await rig.broker.text { $0.topic == "metafleet/board/\(board)/event/gpio" },
      ]
    }
    let texts = try #require(outcome)
    #expect(texts[2].contains(#""event_type":"rising""#) && texts[2].contains(#""pin":1"#), "\(texts)")
  }

  @Test func `whom it is meant for must be said`() async throws {
    let outcome = try await Rig.play(at: .simulated, boards: 1) { rig -> [String] in
      let dispatcher = await Dispatcher(rig, board: Self.boards[0])
      return [
        await dispatcher.command("factory-reset", ""),
        await dispatcher.command("factory-reset", #""confirm":"c0ffee000009""#),
      ]
    }
    for text in try #require(outcome) { #expect(text.contains("\"invalid\""), "\(text)") }
  }
}

/// Commands one board and waits for the answers.
private struct Dispatcher: Sendable {
  static let kinds = ["loggers", "processors", "timers", "events", "macros"]
  let rig: Rig
  let board: String

  init(_ rig: Rig, board: String) async {
    self.rig = rig
    self.board = board
    await rig.broker.text {
      $0.topic == "metafleet/board/\(board)/availability" && $0.says("connected")
    }
  }

  /// The final answer to `verb`.
  func command(_ verb: String, _ arguments: String) async -> String {
    let root = "metafleet/board/\(board)"
    let mark = await rig.broker.mark
    await rig.broker.send("\(root)/cmd/\(verb)", #"{"id":"\#(mark)","args":{\#(arguments)}}"#)
    return await rig.broker.text {
      $0.topic == "\(root)/reply/\(verb)" && $0.says("\"id\":\"\(mark)\"") && $0.says("\"ok\"")
    }
  }

  /// Makes one of everything, and entries in the log; loggers, which we do not make yet, as another host would.
  func program() async -> String {
    let light = #"{"verb":"led","args":{"state":"PLAY"}}"#
    var replies: [String] = []
    for (verb, arguments) in [
      ("settings", #""name":"Pump 3""#),
      ("processor-create", #""name":"presses","from":"switch","chain":["counter"]"#),
      ("timer-create", #""name":"minute","period_ms":60000,"action":\#(light)"#),
      ("event-bind", #""name":"hello","source":"button","action":\#(light)"#),
      ("macro-record", #""name":"hello","action":\#(light)"#),
      ("raw", #""confirm":"\#(board)","hex":["0b020304ff60","0b020304ff24"],"answers":2"#),
      ("raw", #""confirm":"\#(board)","hex":"0b0101""#),
      ("raw", #""confirm":"\#(board)","hex":"0b0100""#),
    ] {
      replies.append(await command(verb, arguments))
      guard arguments.hasSuffix(#""0b0101""#) else { continue }
      // Something to be logged comes meanwhile.
      let mark = await rig.broker.mark
      await rig.broker.message(after: mark) { $0.topic == "metafleet/board/\(board)/record/acceleration" }
    }
    return replies.joined(separator: "\n")
  }
}

extension String {
  /// The number behind `"entries":`.
  fileprivate var entries: String? {
    components(after: "\"entries\":").map { String($0.prefix { $0.isNumber }) }
  }

  private func components(after mark: String) -> Substring? {
    var rest = self[...]
    while !rest.isEmpty {
      if rest.hasPrefix(mark) { return rest.dropFirst(mark.count) }
      rest = rest.dropFirst()
    }
    return nil
  }

  fileprivate func hasSome(_ kind: String) -> Bool { contains("\"\(kind)\":[{") }
  fileprivate func hasNone(_ kind: String) -> Bool { contains("\"\(kind)\":[]") }
}
