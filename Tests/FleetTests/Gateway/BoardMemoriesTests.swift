import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct BoardMemoriesTests {
  private static func memory(_ board: Int, leftSince: Timestamp? = nil) -> (BoardID, BoardMemory) {
    var memory = BoardMemory(board: .number(board))
    memory.leftSince = leftSince
    return (memory.board, memory)
  }

  private static func memories(_ all: (BoardID, BoardMemory)...) -> BoardMemories {
    BoardMemories(Dictionary(uniqueKeysWithValues: all))
  }

  @Test func `F200 boards that left are not those that the last run looked after`() {
    let memories = Self.memories(Self.memory(1), Self.memory(2, leftSince: .at(5)))
    #expect(memories.wanted == [.number(1)] && memories.left == [.number(2): .at(5)])
  }

  @Test func `what is remembered is handed out once, of a board that left by the store alone`() {
    var memories = Self.memories(Self.memory(1), Self.memory(2, leftSince: .at(5)))
    let first = memories.take(.number(1))
    let again = memories.take(.number(1))
    let left = memories.take(.number(2))
    #expect(first != nil && again == nil && left == nil)
  }

  @Test func `F200 a board leaves, and comes back or is forgotten`() {
    var memories = Self.memories(Self.memory(1))
    memories.leave(.number(1), at: .at(7))
    #expect(memories.wanted.isEmpty && memories.left == [.number(1): .at(7)])
    memories.forget(.number(1))
    #expect(memories.left.isEmpty)
  }

  @Test func `F200 what is remembered of a board that left is kept for thirty days`() {
    let memories = Self.memories(Self.memory(1, leftSince: .at(0)))
    let end = Timestamp.at(0) + .seconds(30 * 86_400)
    #expect(memories.expired(at: end - .milliseconds(1)).isEmpty)
    #expect(memories.expired(at: end) == [.number(1)])
  }

  @Test func `F200 a clock that was wrong lets nobody's time be over`() {
    let unset = Timestamp(milliseconds: 5)
    let (later, now) = (Timestamp.at(3_600_000), Timestamp.at(0))
    let memories = Self.memories(Self.memory(1, leftSince: unset), Self.memory(2, leftSince: later))
    #expect(memories.expired(at: now).isEmpty && memories.undated(at: now) == [.number(1), .number(2)])
    #expect(memories.expired(at: unset).isEmpty && memories.undated(at: unset).isEmpty)
  }
}
