import Dialects
import FleetModel
import Simulator
import Storage
import Support
import Testing
import VirtualTime

@testable import SeededFaults

/// Boards whose firmware tells nothing of its slots (protocol reference, sections 19 and 41): memory is all there is,
/// and is told as such.
@Suite(.timeLimit(.minutes(20))) struct SilentBoardScenario {
  @Test func `macros are listed from memory and go with a factory reset`() throws {
    let world = SeededWorld(seed: 1)
    var assumptions = FirmwareAssumptions()
    assumptions.programsReadBack = false
    let firmware = Firmware(
      model: .s, identity: BoardIdentity(number: 1), seed: 2, assumptions: assumptions)
    let radio = SimulatedRadio(
      boards: [MetaMotionBoard(firmware)], air: Air(seed: 1), timekeeper: world, executor: world)
    let parts = try GatewayParts(radio: radio, boards: 1, timekeeper: world, storeExecutor: world, seed: 1)
    let board = Rig.boards(1)[0]
    let outcome = world.run {
      await parts.run { broker -> [String] in
        let rig = Rig(
          depth: .simulated, broker: broker, timekeeper: world, hand: SimulatedHand(radio: radio))
        await rig.isConnected(board)
        let recorded = await rig.command(
          "macro-record", #""name":"hello","action":{"verb":"led","args":{"state":"OFF"}}"#, on: board)
        let mark = await rig.broker.mark
        await rig.hand.loseLink(board)
        await rig.isConnected(board, after: mark)
        return [
          recorded, await rig.command("macro-list", on: board),
          await rig.command("macro-run", #""name":"hello""#, on: board),
          await rig.command("factory-reset", #""confirm":"\#(board)""#, on: board),
          await rig.command("macro-list", on: board),
        ]
      }
    }
    let texts = try #require(outcome ?? nil)
    #expect(
      texts[0].contains(#""evidence":"write-ack""#) && texts[0].contains(#""verified":false"#), "\(texts[0])")
    #expect(texts[1].contains(#""name":"hello""#) && texts[1].contains(#""source":"memory""#), "\(texts[1])")
    #expect(!texts[1].contains("evidence"), "\(texts[1])")
    #expect(texts[2].contains("\"ok\":true"), "\(texts[2])")
    #expect(texts[3].contains(#""macros":0"#) && texts[3].contains("\"ok\":true"), "\(texts[3])")
    #expect(texts[4].contains(#""macros":[]"#), "\(texts[4])")
  }
}
