import FleetModel
import Storage
import Testing

@Suite struct FirmwareJobsTests {
  private static let board = BoardID("e5a1c2d3f4b6")!

  private static func job(_ text: String, at time: Int64 = 5) -> FirmwareJob {
    FirmwareJob(board: board, document: Array(text.utf8), time: .at(time))
  }

  @Test func `F273 firmware that a board is given is there after a crash`() async throws {
    let directory = StateDirectory()
    let store = try directory.open()
    try await store.firmware.keep(Self.job("a"))
    try await store.firmware.keep(Self.job("b", at: 6))
    let after = try directory.crashed().open()
    #expect(try await after.firmware.job(of: Self.board) == Self.job("b", at: 6))
    #expect(try await after.firmware.job(of: BoardID("e5a1c2d3f4b7")!) == nil)
  }

  @Test func `what is over is forgotten, and what is forgotten of a board goes with it`() async throws {
    let store = try Store.inMemory()
    try await store.firmware.keep(Self.job("a"))
    try await store.firmware.forget(Self.board)
    #expect(try await store.firmware.job(of: Self.board) == nil)
    try await store.firmware.keep(Self.job("b"))
    try await store.boards.forgetMemory(of: Self.board)
    #expect(try await store.firmware.job(of: Self.board) == nil)
  }
}
