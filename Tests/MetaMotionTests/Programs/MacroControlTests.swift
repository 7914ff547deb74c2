import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

@Suite(.timeLimit(.minutes(1)))
struct MacroControlTests {
  private static let board = TestBoard.metaMotionS.with("0f80000202")
  private static let actions = [BoardAction(.led(.off)), BoardAction(.led(.play))]

  private func answerSlots(_ session: DriverSession, _ held: [String] = ["0f8200", "0f8201"]) async throws {
    for slot in 0..<2 {
      try await session.link.expect(bytes("0f820\(slot)"), answer: bytes(held[slot]))
    }
  }

  private func store(_ session: DriverSession, boot: Int, slot: Int) async throws {
    try await session.link.expect(bytes("0f020\(boot)"), answer: bytes("0f020\(slot)"))
    try await session.link.expect(each: [bytes("0f03020201"), bytes("0f03020101"), bytes("0f04")])
    try await session.link.expect(bytes("0f830\(slot)00"), answer: bytes("0f83020201"))
    try await session.link.expect(bytes("0f830\(slot)01"), answer: bytes("0f83020101"))
  }

  private func recorded() async throws -> DriverSession {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(
      .program(.recordMacro("hello", Self.actions, isRunAtBoot: false)))
    try await answerSlots(session)
    try await store(session, boot: 0, slot: 0)
    #expect(
      await outcome == .done(evidence: .readback, data: ["slot": 0, "packets": 2, "verified": true]))
    return session
  }

  @Test func aMacroIsStoredAndReadBackWithResponses() async throws {
    let session = try await recorded()
    let kinds = await session.link.written.suffix(6).map(\.kind)
    #expect(kinds.allSatisfy { $0 == .request })
  }

  @Test("a macro says when it has finished, or not", arguments: [true, false])
  func runs(isTold: Bool) async throws {
    let session = try await recorded()
    async let outcome = session.perform(.program(.runMacro("hello")))
    try await session.link.expect(bytes("0f060001"))
    if isTold {
      try await session.link.expect(bytes("0f0500"), answer: bytes("0f0700"))
    } else {
      try await session.link.expect(bytes("0f0500"))
      await session.advance(by: .seconds(5))
    }
    #expect(await outcome == .done(evidence: isTold ? .response : .writeAcknowledged, data: ["slot": 0]))
  }

  @Test func whatRunsAtStartIsTriedFirst() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(.program(.recordMacro("hello", Self.actions, isRunAtBoot: true)))
    try await answerSlots(session)
    try await session.link.expect(bytes("118c"), answer: bytes("118c633410"))
    try await store(session, boot: 0, slot: 0)
    try await session.link.expect(bytes("0f060001"))
    try await session.link.expect(bytes("0f0500"), answer: bytes("0f0700"))
    try await store(session, boot: 1, slot: 1)
    #expect(
      await outcome == .done(evidence: .readback, data: ["slot": 1, "packets": 2, "verified": true]))
  }

  @Test func anEmptyBatteryIsNotTrusted() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(.program(.recordMacro("hello", Self.actions, isRunAtBoot: true)))
    try await answerSlots(session)
    try await session.link.expect(bytes("118c"), answer: bytes("118c1d340e"))
    #expect(await code(outcome) == .lowBattery)
    try await session.link.expectNothing()
  }

  @Test func othersMacrosAreListedAndNotErased() async throws {
    let session = try await recorded()
    async let list = session.perform(.program(.listMacros))
    try await answerSlots(session, ["0f82000002", "0f82010105"])
    #expect(
      await list
        == .done(
          evidence: .response,
          data: [
            "macros": [
              ["slot": 0, "name": "hello", "at_boot": false, "packets": 2, "owner": "ours"],
              ["slot": 1, "at_boot": true, "packets": 5, "owner": "foreign"],
            ]
          ]))
    async let erased = session.perform(.program(.eraseMacros(includingForeign: false)))
    try await answerSlots(session, ["0f82000002", "0f82010105"])
    #expect(await code(erased) == .invalid)
    try await session.link.expectNothing()
  }

  @Test func erasingEndsTheLink() async throws {
    let session = try await recorded()
    async let outcome = session.perform(.program(.eraseMacros(includingForeign: true)))
    try await answerSlots(session, ["0f82000002", "0f82010105"])
    try await session.link.expect(each: [bytes("0f08"), bytes("fe06")])
    await session.link.end(because: LinkFailure(.closed, "the board left"))
    #expect(await outcome == .done(evidence: .writeAcknowledged, data: ["erased": 2]))
  }

  @Test func aFullMemoryIsSaidBeforeAnythingIsWritten() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(.program(.recordMacro("a", Self.actions, isRunAtBoot: false)))
    try await answerSlots(session, ["0f82000002", "0f82010105"])
    #expect(await code(outcome) == .noSlots)
    try await session.link.expectNothing()
  }

  @Test func anotherCommandThanWrittenIsTheBoardsFault() async throws {
    let session = try await DriverSession.interviewed(Self.board)
    async let outcome = session.perform(.program(.recordMacro("a", Self.actions, isRunAtBoot: false)))
    try await answerSlots(session)
    try await session.link.expect(bytes("0f0200"), answer: bytes("0f0200"))
    try await session.link.expect(each: [bytes("0f03020201"), bytes("0f03020101"), bytes("0f04")])
    try await session.link.expect(bytes("0f830000"), answer: bytes("0f83020200"))
    #expect(await code(outcome) == .boardError)
  }

  private func code(_ outcome: CommandOutcome) -> CommandFailure.Code? {
    if case .failed(let failure) = outcome { failure.code } else { nil }
  }
}
