import BoardKit
import Dialects
import FleetModel
import Simulator
import Support
import Testing
import VirtualTime

@testable import SeededFaults

/// `explain` as the gateway answers it, while something is wrong and when it is well again.
@Suite(.timeLimit(.minutes(20))) struct ExplanationScenario {
  private struct Answer: Sendable {
    var codes: [String] = []
    var isFine = false

    init(_ reply: String) {
      guard let data = try? StrictJSON.parse(Array(reply.utf8), limits: .trusting).object?["data"]?.object
      else {
        return
      }
      codes = data["causes"]?.array?.compactMap { $0.object?["code"]?.string } ?? []
      isFine = data["ok"] == true
    }
  }

  /// What is done to the boards' world, what `explain` says of the first board then, and how it is undone.
  private struct Trouble: Sendable {
    var code: String
    /// Whether the second board has it, too.
    var isOfAll = true
    var begin: @Sendable (Rig, SimulatedRadio) async -> Void
    var end: @Sendable (Rig, SimulatedRadio) async -> Void
  }

  private static let boards = Rig.boards(2)
  private static let adapter = SimulatedRadio.adapter.id

  private static let troubles: [Trouble] = [
    Trouble(code: "drained") { rig, _ in
      _ = await rig.command("drain")
    } end: { rig, _ in
      _ = await rig.command("drain", #""resume":true"#)
    },
    Trouble(code: "held", isOfAll: false) { rig, _ in
      await rig.command("disconnect", #""hold_s":20"#, on: boards[0])
    } end: { rig, _ in
      try? await rig.timekeeper.sleep(for: .seconds(20))
    },
    Trouble(code: "bluetooth-down") { _, radio in
      await radio.setService(isThere: false)
    } end: { _, radio in
      await radio.setService(isThere: true)
    },
    Trouble(code: "adapter-down") { _, radio in
      await radio.setAdapter(adapter, .blocked)
    } end: { _, radio in
      await radio.setAdapter(adapter, .up)
    },
    Trouble(code: "adapter-down") { _, radio in
      await radio.removeAdapter(adapter)
    } end: { _, radio in
      await radio.setAdapter(adapter, .up)
    },
    Trouble(code: "silent-since", isOfAll: false) { rig, _ in
      await rig.hand.setInRange(false, boards[0])
    } end: { rig, _ in
      await rig.hand.setInRange(true, boards[0])
    },
  ]

  @Test(arguments: troubles.indices)
  func `F177 what is wrong is the first cause, also of no board that is well, and nothing of it is left`(
    _ index: Int
  ) throws {
    let (trouble, boards) = (Self.troubles[index], Self.boards)
    let world = SeededWorld(seed: 1)
    let radio = SimulatedRadio(
      boards: GatewayParts.boards(2, seed: 1), air: Air(seed: 1), timekeeper: world, executor: world)
    let parts = try GatewayParts(radio: radio, boards: 2, timekeeper: world, storeExecutor: world, seed: 1)
    let outcome = world.run {
      await parts.run { broker -> [Answer] in
        let rig = Rig(
          depth: .simulated, broker: broker, timekeeper: world, hand: SimulatedHand(radio: radio))
        for board in boards { await rig.streams(board, after: 0) }
        await trouble.begin(rig, radio)
        let first = await Self.answer(of: boards[0], rig) { $0.codes.first == trouble.code }
        let other = await Self.answer(of: boards[1], rig)
        await trouble.end(rig, radio)
        let after = await Self.answer(of: boards[0], rig) { $0.isFine }
        return [first, other, after, await Self.answer(of: boards[1], rig) { $0.isFine }]
      }
    }
    let answers = try #require(outcome ?? nil, "the world stopped at \(world.uptime)")
    #expect(answers[0].codes.first == trouble.code && !answers[0].isFine, "\(answers)")
    #expect(answers[1].isFine != trouble.isOfAll, "\(answers)")
    #expect(answers[2].isFine && answers[3].isFine, "\(answers)")
  }

  /// The answer, asked for once a second until it is as expected, for two minutes at most.
  private static func answer(
    of board: BoardID, _ rig: Rig, until isExpected: @Sendable (Answer) -> Bool = { _ in true }
  ) async -> Answer {
    var answer = Answer("")
    for _ in 0..<120 {
      answer = Answer(await rig.command("explain", on: board))
      if isExpected(answer) { break }
      try? await rig.timekeeper.sleep(for: .seconds(1))
    }
    return answer
  }
}
