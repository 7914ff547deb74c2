import FleetModel
import Storage
import Testing

@testable import Fleet

/// What goes to the broker next, without reading it back from the disk.
@Suite struct NextMessagesTests {
  private func row(
    _ id: OutboxRow.ID, _ deliveryClass: DeliveryClass = .record, _ topic: String = "t",
    isRetained: Bool = false, bytes: Int = 0
  ) -> OutboxRow {
    let message = MQTTMessage(
      topic: topic, payload: [UInt8](repeating: 0, count: bytes), isRetained: isRetained)
    return OutboxRow(id: id, message: OutboxMessage(message, as: deliveryClass, created: .at(0)))
  }

  /// Of a disk on which only these wait.
  private func next(_ rows: [OutboxRow] = [], isComplete: Bool = true) -> NextMessages {
    var next = NextMessages()
    next.read(rows, of: rows.count + (isComplete ? 1 : 0), look: 0)
    return next
  }

  private func all(_ next: NextMessages) -> [OutboxRow.ID] {
    var next = next
    return next.take(atMost: .max).map(\.id)
  }

  @Test func `nothing is known of the disk before it was read`() {
    var next = NextMessages()
    next.entered([row(1)])
    #expect(next.isEmpty && !next.isComplete)
  }

  @Test func `F72 what was just written goes from memory, in the order of the disk`() {
    var next = next([row(1), row(3)])
    next.entered([row(4), row(5, .event), row(6, .state), row(7, .event)])
    #expect(next.isComplete)
    let first = next.take(atMost: 2).map(\.id)
    #expect(first == [6, 5])
    next.entered([row(8, .state)])
    #expect(all(next) == [8, 7, 1, 3, 4])
  }

  @Test func `of a retained topic only the last one goes, whether the others were written now or before`() {
    var next = next([row(1, .state, "a", isRetained: true), row(2, .state, "b", isRetained: true)])
    next.entered([
      row(3, .state, "a", isRetained: true), row(4, .state, "a"), row(5, .state, "a", isRetained: true),
    ])
    #expect(all(next) == [2, 4, 5])
  }

  @Test func `F72 where more waits on the disk, only what goes before that joins what was read of it`() {
    var next = next([row(10), row(11)], isComplete: false)
    next.entered([row(20), row(21, .state)])
    #expect(!next.isComplete && all(next) == [21, 10, 11])
    _ = next.take(atMost: 3)
    next.entered([row(22, .state)])
    #expect(next.isEmpty && !next.isComplete, "what waits on the disk may go before it")
  }

  @Test func `what has no room in memory stays on the disk`() {
    var many = next()
    many.entered((1...Int64(NextMessages.most + 1)).map { row($0) })
    #expect(!many.isComplete && all(many) == Array(1...Int64(NextMessages.most)))
    var large = next()
    large.entered((1...3).map { row($0, bytes: NextMessages.mostBytes / 2) })
    #expect(!large.isComplete && all(large) == [1, 2])
    _ = large.take(atMost: 1)
    large.entered([row(0, .state)])
    #expect(all(large) == [0, 2])
  }

  @Test func `what was read before the disk changed without us is not believed`() {
    var next = NextMessages()
    let look = next.look
    next.forget()
    next.read([row(1)], of: 2, look: look)
    #expect(next.isEmpty && !next.isComplete)
    next.read([row(1)], of: 2, look: next.look)
    #expect(!next.isEmpty && next.isComplete)
    next.forget()
    #expect(next.isEmpty && !next.isComplete)
  }
}
