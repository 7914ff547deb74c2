import Testing

@testable import EventLoops

@Suite struct WatchTableTests {
  private func insert(_ table: inout WatchTable, _ descriptor: Int32, _ loop: EventLoop) -> Watch {
    table.insert({ _ in .nothing }) { Watch(descriptor, token: $0, loop: loop) }
  }

  @Test func `a token finds its handler and no successor in the same place`() throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    var table = WatchTable()
    let first = insert(&table, 1, loop)
    let second = insert(&table, 2, loop)
    #expect(table.handler(of: first.token) != nil && table.handler(of: second.token) != nil)
    table.remove(first.token)
    let third = insert(&table, 3, loop)
    #expect(table.handler(of: first.token) == nil && table.handler(of: third.token) != nil)
    table.remove(first.token)
    #expect(table.handler(of: third.token) != nil)
    #expect(table.watches.map(\.descriptor).sorted() == [2, 3])
  }

  @Test func `no token is that of the wakeup`() throws {
    let loop = try EventLoop(name: "test")
    defer { loop.stop() }
    var table = WatchTable()
    #expect(table.handler(of: 0) == nil && table.handler(of: .max) == nil)
    let watch = insert(&table, 1, loop)
    #expect(watch.token != 0 && table.handler(of: 0) == nil)
  }
}
