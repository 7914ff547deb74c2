import FleetModel
import Storage
import Testing

@Suite struct AdmissionsTests {
  private let pump = BoardAdmission(
    board: BoardID("e5a1c2d3f4b6")!, document: Array(#"{"name":"Pump 3"}"#.utf8), created: .at(1),
    admittedBy: "command")

  @Test func `a board is in after it was let in, also after a restart`() async throws {
    let directory = StateDirectory()
    let store = try directory.open()
    #expect(try await store.boards.admit(pump))
    #expect(try await directory.crashed().open().boards.admissions() == [pump])
  }

  @Test func `letting it in again changes what was said, not since when`() async throws {
    let store = try Store.inMemory()
    #expect(try await store.boards.admit(pump))
    var renamed = pump
    renamed.document = Array(#"{"name":"Pump 4"}"#.utf8)
    renamed.created = .at(99)
    renamed.admittedBy = "open"
    #expect(try await store.boards.admit(renamed) == false)
    var expected = pump
    expected.document = renamed.document
    #expect(try await store.boards.admissions() == [expected])
  }

  @Test func `a dismissed board is out, once`() async throws {
    let store = try Store.inMemory()
    _ = try await store.boards.admit(pump)
    #expect(try await store.boards.dismiss(pump.board))
    #expect(try await store.boards.dismiss(pump.board) == false)
    #expect(try await store.boards.admissions().isEmpty)
  }

  @Test func `a board that joined and is named by a command was admitted by that command`() async throws {
    let store = try Store.inMemory()
    var joined = pump
    joined.admittedBy = "open"
    _ = try await store.boards.admit(joined)
    #expect(try await store.boards.admit(pump) == false)
    #expect(try await store.boards.admissions() == [pump])
  }

  @Test func `F164 a blocked address is out, also after a restart, until a command admits it`() async throws {
    let directory = StateDirectory()
    let store = try directory.open()
    _ = try await store.boards.admit(pump)
    for _ in 0..<2 { try await store.boards.block(pump.board, at: .at(2)) }
    let restarted = try directory.crashed().open()
    #expect(try await restarted.boards.blocked() == [pump.board])
    #expect(try await restarted.boards.admissions().isEmpty)
    var joined = BoardAdmission(
      board: BoardID("e5a1c2d3f4b7")!, document: pump.document, created: .at(3), admittedBy: "open")
    _ = try await restarted.boards.admit(joined)
    joined.board = pump.board
    _ = try await restarted.boards.admit(joined)
    #expect(try await restarted.boards.blocked() == [pump.board])
    _ = try await restarted.boards.admit(pump)
    #expect(try await restarted.boards.blocked().isEmpty)
  }
}
