import Dialects
import FleetModel
import Simulator
import Support
import Testing

@testable import SeededFaults

/// What is erased of the logs of simulated boards, and what is not (faults F110 to F114).
@Suite(.timeLimit(.minutes(20))) struct LogPagesScenario {
  private static let streams = #""streams":{"acceleration":{"rate_hz":50,"range_g":4}}"#

  private static func apply(_ fault: BoardFault, _ board: BoardID, _ rig: Rig) async {
    guard let radio = (rig.hand as? SimulatedHand)?.radio else { return }
    await radio.perform(on: board, as: MetaMotionBoard.self) { board, now in board.apply(fault, at: now) }
  }

  private static func counts(in text: String) -> (expected: Int, stored: Int, samples: Int)? {
    text.firstMatch(of: /"entries_expected":(\d+),"entries_stored":(\d+),"samples":(\d+)/).map {
      (Int($0.1) ?? -1, Int($0.2) ?? -2, Int($0.3) ?? 0)
    }
  }

  @Test(
    arguments: [0, 1])
  func `F110 packets of a log that are lost on their way come again, and nothing is lost`(index: Int)
    async throws
  {
    let board = Rig.boards(2)[index]
    let outcome = try await Rig.play(at: .simulated, boards: 2) { rig -> String in
      await rig.isConnected(board)
      await rig.command("log-start", Self.streams, on: board)
      try? await rig.timekeeper.sleep(for: .seconds(40))
      // More than a page of them.
      await Self.apply(.defect(.lostEntries(300)), board, rig)
      return await rig.command("log-download", on: board)
    }
    let reply = try #require(outcome)
    #expect(
      reply.contains(#""complete":true,"cleared":true"#) && reply.contains(#""entries_lost":0"#), "\(reply)")
    let (expected, stored, samples) = try #require(Self.counts(in: reply))
    #expect(expected == stored && stored > 3_000 && samples * 2 == stored, "\(reply)")
  }

  @Test(
    arguments: [0, 1])
  func `F112 a log that may not be erased is read where one page holds it, and refused else`(index: Int)
    async throws
  {
    let board = Rig.boards(2)[index]
    let outcome = try await Rig.play(at: .simulated, boards: 2) { rig -> [String] in
      await rig.isConnected(board)
      await rig.command("log-start", Self.streams, on: board)
      try? await rig.timekeeper.sleep(for: .seconds(3))
      let short = await rig.command("log-download", #""clear":false"#, on: board)
      try? await rig.timekeeper.sleep(for: .seconds(20))
      let long = await rig.command("log-download", #""clear":false"#, on: board)
      let all = await rig.command("log-download", on: board)
      return [short, long, all]
    }
    let replies = try #require(outcome)
    #expect(replies[0].contains(#""complete":true,"cleared":false"#), "\(replies[0])")
    #expect(replies[1].contains("unsupported") && replies[1].contains(#""complete":false"#), "\(replies[1])")
    #expect(replies[2].contains(#""complete":true,"cleared":true"#), "\(replies[2])")
    let first = try #require(Self.counts(in: replies[0]))
    let last = try #require(Self.counts(in: replies[2]))
    // What came before is known by now, and is not stored twice.
    #expect(first.stored > 200 && last.expected == last.stored && last.stored > 2_000, "\(replies)")
  }

  @Test
  func
    `F113 F114 another host's loggers are told at the first contact; a command brings home what they wrote`()
    async throws
  {
    let board = Rig.boards(1)[0]
    let outcome = try await Rig.play(at: .simulated, boards: 1) { rig -> [String] in
      await Self.apply(.foreignHost, board, rig)
      await rig.isConnected(board)
      let found = await rig.broker.message(after: 0) {
        $0.topic == "metafleet/board/\(board)/event/unknown-logger"
      }.text
      try? await rig.timekeeper.sleep(for: .seconds(10))
      return [found, await rig.command("log-download", on: board)]
    }
    let texts = try #require(outcome)
    #expect(
      texts[0].contains(#""event_type":"found""#) && texts[0].contains(#""slots":[0,1]"#), "\(texts[0])")
    let (expected, stored, samples) = try #require(Self.counts(in: texts[1]), "\(texts[1])")
    #expect(expected == stored && samples > 100 && texts[1].contains(#""undecoded":0"#), "\(texts[1])")
  }
}
