import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

/// Listening to chains on one link (protocol reference, sections 2.3 and 14.1).
@Suite(.timeLimit(.minutes(20)))
struct ChainSubscriptionTests {
  /// A board with few slots and little to clean: two processors, the switch, nothing else that streams.
  private static let board = TestBoard.metaMotionS.with(
    "0980000302 0a80 0c80 0f80 0380 0580 1280 1380 1480 1580 1980 1180000000")
  private static let subscription = ["090700" + "01", "090301"].map(bytes)

  private func program(_ size: Int64) -> BoardProgram {
    BoardProgram(chains: ["presses": Chain(from: "switch", [ChainStep("counter", ["size": .integer(size)])])])
  }

  private let wanted = [StreamKey(0): StreamRequest(name: "presses", configuration: ["record": true])]

  /// A session that listens to a counter of one byte in slot 0.
  private func listening() async throws -> DriverSession {
    let session = try await DriverSession.interviewed(Self.board)
    async let made = session.apply(program(1))
    for slot in ["00", "01"] { try await session.link.expect(bytes("0982" + slot), answer: bytes("0982")) }
    try await session.link.expect(bytes("09020101ff000210"), answer: bytes("090200"))
    try await session.link.expect(bytes("098200"), answer: bytes("09820101ff000210"))
    #expect(try await made.get().refused.isEmpty)
    async let applied = session.apply(wanted)
    try await session.link.expect(each: [bytes("010100")] + Self.subscription)
    #expect(try await applied.get().active.first?.fields?.map(\.name) == ["presses"])
    return session
  }

  @Test func `samples come under the streams key`() async throws {
    let session = try await listening()
    await session.link.answer(bytes("090300 07"))
    #expect(await session.decoded.readings.values == [7])
    #expect(await session.decoded.readings.entries.map(\.stream) == [StreamKey(0)])
    #expect(try await session.apply(wanted).get().refused.isEmpty)
    try await session.link.expectNothing()
  }

  @Test func `ticks of a timer come under its name, and are ended for it alone`() async throws {
    let session = try await DriverSession.interviewed(Self.board.with("0c80000001"))
    let timer = BoardProgram.Timer(periodMilliseconds: 60_000, isStreamed: true)
    async let made = session.apply(BoardProgram(timers: ["beat": timer]))
    for slot in ["00", "01"] { try await session.link.expect(bytes("0982" + slot), answer: bytes("0982")) }
    try await session.link.expect(bytes("0c8200"), answer: bytes("0c82"))
    try await session.link.expect(bytes("0c0260ea0000ffff00"), answer: bytes("0c0200"))
    try await session.link.expect(bytes("0c0300"))
    #expect(try await made.get().refused.isEmpty)
    let wanted = [StreamKey(0): StreamRequest(name: "beat", configuration: ["record": true])]
    async let applied = session.apply(wanted)
    try await session.link.expect(each: [bytes("010100"), bytes("0c070001"), bytes("0c0601")])
    #expect(try await applied.get().active.first?.fields?.map(\.name) == ["beat_ticks"])
    await session.link.answer(bytes("0c0600"))
    await session.link.answer(bytes("0c0600"))
    #expect(await session.decoded.readings.values == [1, 2])
    async let ended = session.apply([:])
    try await session.link.expect(bytes("0c070000"))
    _ = try await ended.get()
    try await session.link.expectNothing()
  }

  @Test func `a slot that is filled anew is subscribed anew, and read by what is there now`() async throws {
    let session = try await listening()
    async let made = session.apply(program(2))
    try await session.link.expect(bytes("098200"), answer: bytes("09820101ff000210"))
    try await session.link.expect(bytes("098201"), answer: bytes("0982"))
    try await session.link.expect(bytes("090600"))
    try await session.link.expect(bytes("098200"), answer: bytes("0982"))
    try await session.link.expect(bytes("09020101ff000211"), answer: bytes("090200"))
    try await session.link.expect(bytes("098200"), answer: bytes("09820101ff000211"))
    #expect(try await made.get().differences == ["process/presses changed"])
    async let applied = session.apply(wanted)
    try await session.link.expect(each: Self.subscription)
    _ = try await applied.get()
    await session.link.answer(bytes("090300 0701"))
    #expect(await session.decoded.readings.values == [263])
  }

  @Test func `who no longer wants a chain lets go of it before or behind its removal`() async throws {
    let session = try await listening()
    async let made = session.apply(BoardProgram())
    try await session.link.expect(bytes("098200"), answer: bytes("09820101ff000210"))
    try await session.link.expect(bytes("098201"), answer: bytes("0982"))
    try await session.link.expect(bytes("090600"))
    try await session.link.expect(bytes("098200"), answer: bytes("0982"))
    _ = try await made.get()
    async let applied = session.apply([:])
    try await session.link.expect(bytes("090700 00"))
    #expect(try await applied.get().active.isEmpty)
    try await session.link.expectNothing()
  }

  @Test func `F55 what an earlier session listened to is let go of`() async throws {
    let session = try await listening()
    await session.link.answer(bytes("090301 07"))
    #expect(await session.verdicts == [.unwanted])
    #expect(await session.hasStaleSubscriptions)
    async let ended: Void = session.endStaleSubscriptions()
    try await session.link.expect(bytes("090701 00"))
    await ended
    #expect(await !session.hasStaleSubscriptions)
  }
}
