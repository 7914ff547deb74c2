import BoardKit
import FleetModel
import Support
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ConversationTests {
  private static let lost = LinkFailure(.linkLost, "out of range")

  @Test func answersMayComeInAnyOrder() async throws {
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

  @Test func anAnswerMayComeBeforeTheWriteHasReturned() async throws {
    let session = await TalkingSession()
    await session.link.holdWrites()
    async let answer = session.ask([1], answer: [0x81])
    try await session.link.expect([1], answer: [0x81, 7])
    await session.link.releaseWrites()
    #expect(await answer == .success([0x81, 7]))
    #expect(await session.unclaimed.isEmpty)
  }

  @Test func anAnswerThatCameBeforeTheEndStillCounts() async throws {
    let session = await TalkingSession()
    async let answer = session.ask([1], answer: [0x81])
    try await session.link.expect([1])
    await session.link.answer([0x81, 7])
    await session.link.end(because: Self.lost)
    #expect(await answer == .success([0x81, 7]))
  }

  @Test func packetsNobodyAskedForAreLeftToTheSession() async throws {
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

  @Test("F28 a question is given up after its time, and not before")
  func silence() async throws {
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

  @Test func aQuestionIsAnsweredUntilItsTimeHasPassed() async throws {
    let session = await TalkingSession()
    async let answer = session.ask([1], answer: [0x81], within: .seconds(5))
    try await session.link.expect([1])
    await session.advance(by: .milliseconds(4_999))
    await session.link.answer([0x81])
    #expect(await answer == .success([0x81]))
  }

  @Test func aQuestionMayExpireWhileItsWriteHangs() async throws {
    let session = await TalkingSession()
    await session.link.holdWrites()
    async let answer = session.ask([1], answer: [0x81], within: .seconds(5))
    try await session.link.expect([1])
    await session.advance(by: .seconds(5))
    await session.link.releaseWrites()
    #expect(await answer == .failure(.silent(question: "it", after: .seconds(5))))
  }

  @Test func everybodyLearnsWhyTheLinkEnded() async throws {
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
    #expect(await session.tell([4], as: .command) == .linkEnded(Self.lost))
    #expect(await session.link.written.map(\.value) == [[1], [2]])
  }

  @Test func aLinkMayEndWhileAWriteHangs() async throws {
    let session = await TalkingSession()
    await session.link.holdWrites()
    async let answer = session.ask([1], answer: [0x81])
    try await session.link.expect([1])
    await session.link.end(because: Self.lost)
    #expect(await answer == .failure(.linkEnded(Self.lost)))
  }

  @Test func aFailedWriteLeavesNoQuestionBehind() async throws {
    let session = await TalkingSession()
    await session.link.failWrites(because: Self.lost)
    #expect(await session.ask([1], answer: [0x81]) == .failure(.linkEnded(Self.lost)))
    await session.link.answer([0x81])
    #expect(await session.unclaimed == [[0x81]])
  }

  @Test(arguments: [WriteKind.command, .request])
  func tellingWritesInTheWayThatIsAsked(kind: WriteKind) async throws {
    let session = await TalkingSession()
    #expect(await session.tell([1, 2], as: kind) == nil)
    let write = try await session.link.expect([1, 2])
    #expect(write.kind == kind)
    #expect(write.characteristic == TalkingSession.characteristic)
  }

  @Test func theEndOfTheLinkCanBeAwaited() async throws {
    let session = await TalkingSession()
    async let ended = session.leave([1], within: .seconds(10))
    try await session.link.expect([1])
    await session.advance(by: .seconds(9))
    await session.link.end(because: Self.lost)
    #expect(await ended)
    #expect(await session.leave([2], within: .seconds(10)))
  }

  @Test func theWaitForTheEndIsBounded() async throws {
    let session = await TalkingSession()
    async let ended = session.leave([1], within: .seconds(10))
    try await session.link.expect([1])
    await session.advance(by: .seconds(10))
    #expect(await !ended)
  }

  @Test func aPauseEndsWhenItsTimeHasPassed() async throws {
    let session = await TalkingSession()
    async let paused = session.pause(for: .milliseconds(200))
    await session.clock.sleepers()
    session.clock.advance(by: .milliseconds(200))
    #expect(await paused == nil)
  }

  @Test func newsEndAWaitAndAreTakenOnce() async throws {
    let session = await TalkingSession()
    async let first = session.awaitNews(behind: [1], within: .seconds(9))
    try await session.link.expect([1])
    await session.tellNews()
    #expect(await first == nil)
    await session.tellNews()
    let second = await session.awaitNews(behind: [2], within: .seconds(9))
    #expect(second == nil)
    try await session.link.expect([2])
    // Those were the last: now only time ends a wait, which is no silence of the board.
    async let third = session.awaitNews(behind: [3], within: .seconds(9))
    try await session.link.expect([3])
    await session.link.answer([0x81])
    await session.advance(by: .seconds(9))
    #expect(await third == nil)
    #expect(await !session.takeSilence())
    #expect(await session.unclaimed == [[0x81]])
  }

  @Test func theEndOfTheLinkEndsAWaitForNews() async throws {
    let session = await TalkingSession()
    async let news = session.awaitNews(behind: [1], within: .seconds(9))
    try await session.link.expect([1])
    await session.link.end(because: Self.lost)
    #expect(await news == .linkEnded(Self.lost))
    #expect(await session.awaitNews(behind: [2], within: .seconds(9)) == .linkEnded(Self.lost))
  }
}
