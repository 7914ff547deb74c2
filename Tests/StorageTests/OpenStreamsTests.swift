import FleetModel
import Testing

@testable import Storage

/// What a gateway that was killed knows afterwards of the streams that it had.
@Suite struct OpenStreamsTests {
  private let board = BoardID("e5a1c2d3f4b6")!

  private func session(_ number: UInt8) -> ULID { ULID("01ARZ3NDEKTSV4RRFFQ69G5FA\(number)")! }

  private func stream(_ number: UInt8, at second: Int64) -> OpenStream {
    OpenStream(board: board, stream: "acceleration", session: session(number), last: .at(second))
  }

  private func batch(_ number: UInt8, at second: Int64) -> OutboxMessage {
    var message = OutboxMessage.record()
    message.continues = stream(number, at: second)
    return message
  }

  private func marks(_ marks: StreamCheckpoint...) -> StreamCheckpoints {
    marks.reduce(into: StreamCheckpoints()) { $0.note($1) }
  }

  @Test func `F136 a stream stands where its last batch ends that is on the disk, also after a crash`()
    async throws
  {
    let directory = StateDirectory()
    let store = try directory.open()
    _ = try await store.outbox.exchange(
      [], forDelivered: [], streams: marks(.began(stream(1, at: 1))), at: .at(1))
    #expect(try await directory.crashed().open().boards.memories()[board]?.cutOff == [stream(1, at: 1)])
    _ = try await store.outbox.exchange([batch(1, at: 2), batch(1, at: 3)], forDelivered: [], at: .at(3))
    await store.rehearse(.full)
    await #expect(throws: StoreFailure.full) {
      try await store.outbox.exchange([batch(1, at: 4)], forDelivered: [], at: .at(4))
    }
    #expect(try await directory.crashed().open().boards.memories()[board]?.cutOff == [stream(1, at: 3)])
    try await store.close()
  }

  @Test
  func `F136 what was told of the hole before a session is known until something of the session is kept`()
    async throws
  {
    let store = try Store.inMemory()
    var begun = stream(1, at: 1)
    begun.told = 3
    _ = try await store.outbox.exchange([], forDelivered: [], streams: marks(.began(begun)), at: .at(1))
    #expect(try await store.boards.memories()[board]?.cutOff == [begun])
    _ = try await store.outbox.exchange([batch(1, at: 2)], forDelivered: [], at: .at(2))
    #expect(try await store.boards.memories()[board]?.cutOff == [stream(1, at: 2)])
  }

  @Test func `F136 a begin that comes behind batches of its session moves nothing back`() async throws {
    let store = try Store.inMemory()
    _ = try await store.outbox.exchange([batch(1, at: 2)], forDelivered: [], at: .at(2))
    _ = try await store.outbox.exchange(
      [], forDelivered: [], streams: marks(.began(stream(1, at: 1))), at: .at(3))
    #expect(try await store.boards.memories()[board]?.cutOff == [stream(1, at: 2)])
  }

  @Test
  func
    `F136 a session that is over is not known any more, others are, and none of a board that was let go of`()
    async throws
  {
    let store = try Store.inMemory()
    _ = try await store.outbox.exchange([batch(2, at: 2), batch(1, at: 1)], forDelivered: [], at: .at(2))
    #expect(try await store.boards.memories()[board]?.cutOff == [stream(1, at: 1), stream(2, at: 2)])
    // Its last batch and its end at once.
    _ = try await store.outbox.exchange(
      [batch(1, at: 3)], forDelivered: [], streams: marks(.ended(session(1))), at: .at(3))
    #expect(try await store.boards.memories()[board]?.cutOff == [stream(2, at: 2)])
    try await store.boards.forgetMemory(of: board)
    #expect(try await store.boards.memories().isEmpty)
  }

  @Test
  func `F136 the end of a session waits for its batches, and what did not get to the disk is tried again`() {
    var marks = marks(
      .began(stream(1, at: 1)), .ended(session(1)), .began(stream(2, at: 2)), .ended(session(3)))
    let first = marks.take(sparing: [session(1)])
    #expect(first.begun == [stream(2, at: 2)] && first.ended == [session(3)])
    #expect(marks.begun.isEmpty && marks.ended == [session(1)])
    marks.note(.ended(session(2)))
    marks.takeBack(first)
    #expect(marks.begun.isEmpty && marks.ended == [session(3), session(1), session(2)])
    _ = marks.take(sparing: [])
    #expect(marks.isEmpty)
  }
}
