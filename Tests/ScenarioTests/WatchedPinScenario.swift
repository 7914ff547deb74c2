import Dialects
import FleetModel
import Support
import Testing

/// Changes of a pin are told until somebody says otherwise, whatever becomes of links and boards (MQTT contract 1.5,
/// 3.9).
@Suite(.timeLimit(.minutes(20))) struct WatchedPinScenario {
  private static let spoofed = #""hex":"fe03050a000101""#

  @Test func `a lost link and a reset of the board do not end it; change: off does`() async throws {
    let board = Rig.boards(1)[0]
    let outcome = try await Rig.play(at: .simulated, boards: 1) { rig -> [Int] in
      await rig.isConnected(board)
      await rig.command("gpio", #""pin":1,"pull":"up","change":"rising""#, on: board)
      var told = [await Self.changes(rig, board)]
      let mark = await rig.broker.mark
      await rig.hand.loseLink(board)
      await rig.isConnected(board, after: mark)
      told.append(await Self.changes(rig, board))
      await rig.command("reset", on: board)
      told.append(await Self.changes(rig, board))
      await rig.command("gpio", #""pin":1,"change":"off""#, on: board)
      await rig.command("reset", on: board)
      told.append(await Self.changes(rig, board))
      return told
    }
    #expect(outcome == [1, 1, 1, 0])
  }

  /// How many changes are told when the pin seems to change once.
  private static func changes(_ rig: Rig, _ board: BoardID) async -> Int {
    // Behind an answer, the pins are set up; and what a packet brings is told within a moment.
    await rig.command("read", #""what":"mac""#, on: board)
    let mark = await rig.broker.mark
    await rig.command("raw", #""confirm":"\#(board)",\#(spoofed)"#, on: board)
    try? await rig.timekeeper.sleep(for: .seconds(1))
    return await rig.broker.published[mark...].count { $0.topic == "metafleet/board/\(board)/event/gpio" }
  }
}
