import BoardKit
import FleetModel
import Support
import Testing

@Suite(.timeLimit(.minutes(20)))
struct ConversationTests {
  private static let lost = LinkFailure(.linkLost, "out of range")

  @Test func `answers may come in any order`() async throws {
    let session = await TalkingSession()
    async let first = session.ask([1], answer: [0x81])
    try await session.link.expect([1])
    async let second = session.ask([2], answer: [0x82])
    try await session.link.expect([2])
    await session.link.answer([0x82, 20])
    await session.link.answer([0x81, 10])
    #expect(await second == .success([0x82, 20]))
    #expect(await first == .success([0x81, 10]))
  }

  @Test func `an answer may come before the write has returned`() async throws {
    let session = await TalkingSession()
    await session.link.holdWrites()
    async let answer = session.ask([1], answer: [0x81])
    try await session.link.expect([1], answer: [0x81, 7])
    await session.link.releaseWrites()
    #expect(await answer == .success([0x81, 7]))
    #expect(await session.unclaimed.isEmpty)
  }

  @Test func `an answer that came before the end still counts`() async throws {
    let session = await TalkingSession()
    async let answer = session.ask([1], answer: [0x81])
    try await session.link.expect([1])
    await session.link.answer([0x81, 7])
    await session.link.end(because: Self.lost)
    #expect(await answer == .success([0x81, 7]))
  }

  @Test func `packets nobody asked for are left to the session`() async throws {
    let session = await TalkingSession()
    async let answer = session.ask([1], answer: [0x81])
    try await session.link.expect([1])
    await session.link.answer([0x04, 1])
    await session.link.answer([])
    await session.link.answer([0x81])
    await session.link.answer([0x81])
    #expect(await answer == .success([0x81]))
    #expect(await session.unclaimed == [[0x04, 1], [], [0x81]])
  }

  @Test func `F28 a question is given up after its time, and not before`() async throws {
    let session = await TalkingSession()
    async let answer = session.ask([1], answer: [0x81], within: .seconds(5))
    try await session.link.expect([1])
    await session.advance(by: .milliseconds(4_999))
    await session.link.answer([0x04])
    await session.advance(by: .milliseconds(1))
    #expect(await answer == .failure(.silent(question: "it", after: .seconds(5))))
    await session.link.answer([0x81])
    #expect(await session.unclaimed == [[0x04], [0x81]])
  }

  @Test func `a question is answered until its time has passed`() async throws {
    let session = await TalkingSession()
    async let answer = session.ask([1], answer: [0x81], within: .seconds(5))
    try await session.link.expect([1])
    await session.advance(by: .milliseconds(4_999))
    await session.link.answer([0x81])
    #expect(await answer == .success([0x81]))
  }

  @Test func `a question may expire while its write hangs`() async throws {
    let session = await TalkingSession()
    await session.link.holdWrites()
    async let answer = session.ask([1], answer: [0x81], within: .seconds(5))
    try await session.link.expect([1])
    await session.advance(by: .seconds(5))
    await session.link.releaseWrites()
    #expect(await answer == .failure(.silent(question: "it", after: .seconds(5))))
  }

  @Test func `everybody learns why the link ended`() async throws {
    let session = await TalkingSession()
    async let first = session.ask([1], answer: [0x81])
    try await session.link.expect([1])
    async let second = session.ask([2], answer: [0x82])
    try await session.link.expect([2])
    await session.link.end(because: Self.lost)
    #expect(await first == .failure(.linkEnded(Self.lost)))
    #expect(await second == .failure(.linkEnded(Self.lost)))
    #expect(await session.ending == Self.lost)
    #expect(await session.ask([3], answer: [0x83]) == .failure(.linkEnded(Self.lost)))
    #expect(await session.write([4], as: .command) == .linkEnded(Self.lost))
    #expect(await session.link.written.map(\.value) == [[1], [2]])
  }

  @Test func `a link may end while a write hangs`() async throws {
    let session = await TalkingSession()
    await session.link.holdWrites()
    async let answer = session.ask([1], answer: [0x81])
    try await session.link.expect([1])
    await session.link.end(because: Self.lost)
    #expect(await answer == .failure(.linkEnded(Self.lost)))
  }

  @Test func `a failed write leaves no question behind`() async throws {
    let session = await TalkingSession()
    await session.link.failWrites(because: Self.lost)
    #expect(await session.ask([1], answer: [0x81]) == .failure(.linkEnded(Self.lost)))
    await session.link.answer([0x81])
    #expect(await session.unclaimed == [[0x81]])
  }

  @Test(arguments: [WriteKind.command, .request])
  func `writes in the way that is asked`(kind: WriteKind) async throws {
    let session = await TalkingSession()
    #expect(await session.write([1, 2], as: kind) == nil)
    let write = try await session.link.expect([1, 2])
    #expect(write.kind == kind)
    #expect(write.characteristic == TalkingSession.characteristic)
  }

  @Test func `the end of the link can be awaited`() async throws {
    let session = await TalkingSession()
    async let ended = session.leave([1], within: .seconds(10))
    try await session.link.expect([1])
    await session.advance(by: .seconds(9))
    await session.link.end(because: Self.lost)
    #expect(await ended)
    #expect(await session.leave([2], within: .seconds(10)))
  }

  @Test func `the wait for the end is bounded`() async throws {
    let session = await TalkingSession()
    async let ended = session.leave([1], within: .seconds(10))
    try await session.link.expect([1])
    await session.advance(by: .seconds(10))
    #expect(await !ended)
  }

  @Test func `a pause ends when its time has passed`() async throws {
    let session = await TalkingSession()
    async let paused = session.pause(for: .milliseconds(200))
    await session.clock.sleepers()
    session.clock.advance(by: .milliseconds(200))
    #expect(await paused == nil)
  }

  @Test func `progress ends a wait and is taken once`() async throws {
    let session = await TalkingSession()
    async let first = session.awaitProgress(behind: [1], within: .seconds(9))
    try await session.link.expect([1])
    await session.signalProgress()
    #expect(await first == nil)
    await session.signalProgress()
    let second = await session.awaitProgress(behind: [2], within: .seconds(9))
    #expect(second == nil)
    try await session.link.expect([2])
    // Those were the last: now only time ends a wait, which is no silence of the board.
    async let third = session.awaitProgress(behind: [3], within: .seconds(9))
    try await session.link.expect([3])
    await session.link.answer([0x81])
    await session.advance(by: .seconds(9))
    #expect(await third == nil)
    #expect(await !session.takeSilence())
    #expect(await session.unclaimed == [[0x81]])
  }

  @Test func `the end of the link ends a wait for progress`() async throws {
    let session = await TalkingSession()
    async let progress = session.awaitProgress(behind: [1], within: .seconds(9))
    try await session.link.expect([1])
    await session.link.end(because: Self.lost)
    #expect(await progress == .linkEnded(Self.lost))
    #expect(await session.awaitProgress(behind: [2], within: .seconds(9)) == .linkEnded(Self.lost))
  }
}
