import Dialects
import FleetModel
import Support
import Testing

/// What is remembered of a board's slots ends with the board's reset (protocol reference, section 27; MQTT contract
/// 3.3).
@Suite(.timeLimit(.minutes(20))) struct BoardMemoryScenario {
  /// Recorded by somebody else, to run at start: a timer like ours, not started.
  private static let macro = [#""0f0201""#, #""0f030c0260ea0000ffff00""#, #""0f04""#].joined(separator: ",")
  private static let timer = #""name":"minute","period_ms":60000,"start":false"#

  @Test func `what a reset took is not ours when somebody else's macro makes the same again`() async throws {
    let board = Rig.boards(1)[0]
    let outcome = try await Rig.play(at: .simulated, boards: 1) { rig -> [String] in
      await rig.isConnected(board)
      let recorded = await rig.command("raw", #""confirm":"\#(board)","hex":[\#(Self.macro)]"#, on: board)
      let made = await rig.command("timer-create", Self.timer, on: board)
      let before = await rig.command("read", #""what":"resources""#, on: board)
      let reset = await rig.command("reset", on: board)
      let after = await rig.command("read", #""what":"resources""#, on: board)
      // It was used, because it is what we want; but it is not ours to remove.
      let removed = await rig.command("timer-remove", #""name":"minute""#, on: board)
      let left = await rig.command("read", #""what":"resources""#, on: board)
      return [recorded, made, before, reset, after, removed, left]
    }
    let texts = try #require(outcome)
    for text in texts { #expect(text.contains("\"ok\":true"), "\(text)") }
    func timers(_ text: String) -> Substring? { text.firstMatch(of: /"timers":(.*?)"events"/)?.1 }
    #expect(timers(texts[2])?.contains("\"ours\"") == true, "\(texts[2])")
    #expect(timers(texts[4])?.contains("\"foreign\"") == true, "\(texts[4])")
    #expect(timers(texts[4])?.contains("\"ours\"") == false, "\(texts[4])")
    #expect(timers(texts[6])?.contains("\"foreign\"") == true, "\(texts[6])")
  }

  @Test func `a lost link alone leaves ours what is ours`() async throws {
    let board = Rig.boards(1)[0]
    let outcome = try await Rig.play(at: .simulated, boards: 1) { rig -> [String] in
      await rig.isConnected(board)
      await rig.command("timer-create", Self.timer, on: board)
      let mark = await rig.broker.mark
      await rig.hand.loseLink(board)
      await rig.isConnected(board, after: mark)
      let held = await rig.command("read", #""what":"resources""#, on: board)
      return [held, await rig.command("timer-remove", #""name":"minute""#, on: board)]
    }
    let texts = try #require(outcome)
    #expect(texts[0].contains(#""timers":[{"slot":0,"signal":"timer[0]","owner":"ours""#), "\(texts[0])")
    #expect(texts[1].contains(#""removed":["timer/minute"]"#), "\(texts[1])")
  }

  private static let chains = [
    #""name":"presses","from":"switch","chain":["counter"],"to":[]"#,
    #""name":"high","from":"presses","chain":[{"threshold":{"boundary":1000}}],"to":[]"#,
  ]
  /// Every press puts the boundary where the count is (protocol reference, section 14.5).
  private static let feedback =
    #""name":"raise","source":"processor:presses","action":{"verb":"processor-set","#
    + #""args":{"name":"high","parameters":{"boundary":0}},"token":{"length":4,"dest":3}}"#

  @Test func `a processor that an event changed is ours as it is now, link after link`() async throws {
    let board = Rig.boards(1)[0]
    let outcome = try await Rig.play(at: .simulated, boards: 1) { rig -> [String] in
      await rig.isConnected(board)
      for chain in Self.chains { await rig.command("processor-create", chain, on: board) }
      var replies = [await rig.command("event-bind", Self.feedback, on: board)]
      replies.append(await rig.command("processor-list", on: board))
      for _ in 0..<3 {
        await rig.press(true, board)
        await rig.press(false, board)
        let mark = await rig.broker.mark
        await rig.hand.loseLink(board)
        await rig.isConnected(board, after: mark)
        replies.append(await rig.command("processor-list", on: board))
      }
      return replies
    }
    let texts = try #require(outcome)
    #expect(texts[0].contains("\"ok\":true"), "\(texts[0])")
    func held(_ text: String) -> [Substring] { text.matches(of: /"hex":"(.*?)"/).map(\.1) }
    func names(_ text: String) -> [Substring] { text.matches(of: /"name":"(.*?)"/).map(\.1) }
    #expect(Set(texts.dropFirst().map(held)).count == 4, "the board changes it every time")
    for text in texts.dropFirst() {
      #expect(names(text) == ["presses", "high"], "\(text)")
      #expect(!text.contains("foreign"), "\(text)")
    }
  }
}
