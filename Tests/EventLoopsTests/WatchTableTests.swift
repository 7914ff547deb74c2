import Testing

@testable import EventLoops

@Suite struct WatchTableTests {
  private func insert(_ table: inout WatchTable, _ descriptor: Int32, _ loop: EventLoop) -> Watch {
    table.insert { Watch(descriptor, token: $0, loop: loop) { _ in } }
  }

  @Test func aTokenFindsItsWatchAndNoSuccessorInTheSamePlace() throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    var table = WatchTable()
    let first = insert(&table, 1, loop)
    let second = insert(&table, 2, loop)
    #expect(table[first.token] === first && table[second.token] === second)
    table.remove(first.token)
    let third = insert(&table, 3, loop)
    #expect(table[first.token] == nil && table[third.token] === third)
    table.remove(first.token)
    #expect(table[third.token] === third)
    #expect(table.watches.map(\.descriptor).sorted() == [2, 3])
  }

  @Test func noTokenIsThatOfTheWakeup() throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    var table = WatchTable()
    #expect(table[0] == nil && table[.max] == nil)
    let watch = insert(&table, 1, loop)
    #expect(watch.token != 0 && table[0] == nil)
  }
}
