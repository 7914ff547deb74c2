import FleetModel
import Storage
import Testing

@Suite struct BoardMemoryTests {
  private let board = BoardID("e5a1c2d3f4b6")!

  private var full: BoardMemory {
    var memory = BoardMemory(board: board)
    memory.driverMemory = [0, 1, 0xFF]
    memory.description = Array(#"{"model":"MetaMotion S"}"#.utf8)
    memory.resetID = 7
    memory.bootTime = .at(5)
    memory.bootCount = 3
    memory.overlay = Array(#"{"stream":{}}"#.utf8)
    memory.advertisedName = "MetaWear \u{1B}[31m"
    memory.led = Array(#"{"state":"OFF"}"#.utf8)
    return memory
  }

  @Test func `all of it is there after a restart`() async throws {
    let directory = StateDirectory()
    let store = try directory.open()
    try await store.boards.save(full)
    #expect(try await directory.crashed().open().boards.memories() == [board: full])
  }

  @Test func `what is unknown stays unknown`() async throws {
    let store = try Store.inMemory()
    try await store.boards.save(BoardMemory(board: board))
    #expect(try await store.boards.memories() == [board: BoardMemory(board: board)])
  }

  @Test func `saving replaces, also what has become unknown`() async throws {
    let store = try Store.inMemory()
    try await store.boards.save(full)
    var changed = full
    changed.led = nil
    changed.bootCount = 4
    try await store.boards.save(changed)
    #expect(try await store.boards.memories() == [board: changed])
  }

  @Test func `one board is forgotten, others are not`() async throws {
    let store = try Store.inMemory()
    let other = BoardMemory(board: BoardID("e5a1c2d3f4b7")!)
    try await store.boards.save(full)
    try await store.boards.save(other)
    try await store.boards.forgetMemory(of: board)
    #expect(try await store.boards.memories() == [other.board: other])
  }

  @Test func `F200 what is remembered of a board that left stays, with the time, until it is back`()
    async throws
  {
    let directory = StateDirectory()
    let store = try directory.open()
    try await store.boards.save(full)
    try await store.boards.leave(board, at: .at(9))
    var left = full
    left.leftSince = .at(9)
    #expect(try await directory.crashed().open().boards.memories() == [board: left])
    #expect(try await store.boards.memory(of: board) == left)
    try await store.boards.comeBack(board)
    #expect(try await store.boards.memory(of: board) == full)
  }

  @Test func `F200 a board of which nothing but its open streams is known may leave and come back, too`()
    async throws
  {
    let store = try Store.inMemory()
    #expect(try await store.boards.memory(of: board) == nil)
    try await store.boards.leave(board, at: .at(9))
    #expect(try await store.boards.memory(of: board)?.leftSince == .at(9))
    try await store.boards.save(BoardMemory(board: board))
    #expect(try await store.boards.memory(of: board) == BoardMemory(board: board))
  }
}
