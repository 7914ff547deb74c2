import BoardKit
import FleetModel
import Testing

@testable import Fleet

@Suite struct RolloutBoardTests {
  private static let target = UpdateTarget(version: "1.7.3", sum: "ab", before: "1.7.2", serial: "S1")
  private static let found = BootloaderDescription(
    serialNumber: "S1", modelNumber: "5", hardwareRevision: "0.4", version: "0.5")

  private static func entering() -> BoardUpdate {
    var update = BoardUpdate(target, at: .zero)
    _ = update.take(.jumping, at: .zero)
    return update
  }

  @Test func `a board that is being given firmware is on its way`() {
    #expect(RolloutBoard.update(of: BoardUpdate(Self.target, at: .zero), at: .zero) == .underWay)
    #expect(RolloutBoard.update(of: Self.entering(), at: .zero) == .underWay)
  }

  @Test func `F257 one whose transfers failed, and one that is not heard again, are stranded`() {
    var update = Self.entering()
    for attempt in 1...3 {
      let time = Duration.seconds(attempt * 10)
      _ = update.heard(at: RolloutRun.board(1))
      _ = update.take(.bootloader(Self.found, needed: .success(0)), at: time)
      _ = update.take(.beginning, at: time)
      _ = update.take(.broke(TransferFailure(.again, "its checksum is wrong")), at: time)
    }
    guard case .stranded(let reason) = RolloutBoard.update(of: update, at: .seconds(40)) else {
      Issue.record("it is not stranded")
      return
    }
    #expect(reason.contains("its checksum is wrong"))
    var lost = Self.entering()
    _ = lost.take(.expired, at: .seconds(600))
    guard case .stranded = RolloutBoard.update(of: lost, at: .seconds(600)) else {
      Issue.record("it is not stranded")
      return
    }
  }

  @Test func `F258 behind a restart it is looked for before it counts as stranded`() throws {
    var update = Self.entering()
    _ = update.take(.bootloader(Self.found, needed: .success(0)), at: .zero)
    _ = update.take(.beginning, at: .zero)
    var restored = try #require(BoardUpdate(document: update.document, at: .zero))
    #expect(RolloutBoard.update(of: restored, at: .seconds(1)) == .underWay)
    _ = restored.take(.expired, at: .seconds(600))
    #expect(RolloutBoard.update(of: restored, at: .seconds(600)) != .underWay)
  }

  @Test func `boards are of one kind by hardware revision and model`() {
    var board = RolloutBoard()
    #expect(board.kind == "")
    board.recipient = FirmwareRecipient(modelNumber: "5", hardwareRevision: "0.4")
    #expect(board.kind == "0.4 5")
  }

  @Test func `F256 no board is begun over an adapter over which another one is updated, by whomever`() {
    let (first, second) = (RolloutRun.adapter(1), RolloutRun.adapter(2))
    var fleet = RolloutFleet(boards: [
      RolloutRun.board(1): RolloutBoard(adapter: first, isAvailable: true),
      RolloutRun.board(2): RolloutBoard(adapter: second, isAvailable: true),
      RolloutRun.board(3): RolloutBoard(adapter: second),
      RolloutRun.board(4): RolloutBoard(isAvailable: true),
    ])
    #expect(fleet.adapters == [RolloutRun.board(1): first, RolloutRun.board(2): second])
    fleet.boards[RolloutRun.board(3)]?.update = .underWay
    #expect(fleet.adapters == [RolloutRun.board(1): first])
    fleet.boards[RolloutRun.board(3)]?.update = .stranded("its checksum is wrong")
    #expect(fleet.adapters == [RolloutRun.board(1): first, RolloutRun.board(2): second])
  }
}
