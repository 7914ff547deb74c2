import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

@Suite(.timeLimit(.minutes(20)))
struct InterviewerTests {
  private let clockQuestion = bytes("0b84")

  private func discover(_ board: TestBoard, over link: ScriptedLink) async throws {
    for module in Module.allCases {
      try await link.expect([module.rawValue, 0x80], answer: board.replies[module] ?? [])
    }
  }

  @Test(arguments: TestBoard.all)
  func `an unknown board is asked for everything`(board: TestBoard) async throws {
    let session = await DriverSession(board)
    async let interview = session.interview(remembering: nil)
    try await discover(board, over: session.link)
    try await session.link.expect(clockQuestion, answer: board.clock)
    let result = try await interview.get()
    #expect(result.description == (try board.inventory().description))
    #expect(result.memory == board.memory)
    #expect(result.resetID == 5)
    #expect(result.bootTime == session.clock.now - .nanoseconds(1_530_761_718))
    try await session.link.expectNothing()
  }

  @Test(arguments: TestBoard.all)
  func `a known board is asked for its clock only`(board: TestBoard) async throws {
    let session = await DriverSession(board)
    async let interview = session.interview(remembering: board.memory)
    try await session.link.expect(clockQuestion, answer: board.clock)
    let result = try await interview.get()
    #expect(result.description == (try board.inventory().description))
    #expect(result.memory == board.memory)
    try await session.link.expectNothing()
  }

  @Test(arguments: 0..<4)
  func `new firmware, a damaged record and somebody else's record are asked anew`(kind: Int) async throws {
    let board = TestBoard.metaMotionS
    var old = board
    old.firmware = "1.7.2"
    let records: [[UInt8]] = [old.memory, board.memory.dropLast(), [], [0xFF]]
    let memory = records[kind]
    let session = await DriverSession(board)
    async let interview = session.interview(remembering: memory)
    try await discover(board, over: session.link)
    try await session.link.expect(clockQuestion, answer: board.clock)
    #expect(try await interview.get().memory == board.memory)
  }

  @Test func `only the macro module is written with response`() async throws {
    let session = await DriverSession(.metaMotionS)
    async let interview = session.interview(remembering: nil)
    try await discover(.metaMotionS, over: session.link)
    try await session.link.expect(clockQuestion, answer: TestBoard.metaMotionS.clock)
    _ = await interview
    let written = await session.link.written
    #expect(written.filter { $0.kind == .request }.map(\.value) == [bytes("0f80")])
    #expect(Set(written.map(\.characteristic)) == [Attributes.command])
  }

  @Test func `T64 a missing reply is asked for once more`() async throws {
    let board = TestBoard.metaMotionS
    let session = await DriverSession(board)
    async let interview = session.interview(remembering: nil)
    try await session.link.expect(bytes("0180"))
    await session.advance(by: .seconds(5))
    try await discover(board, over: session.link)
    try await session.link.expect(clockQuestion, answer: board.clock)
    #expect(await interview.failure == nil)
  }

  @Test func `a model that is not ours is not questioned`() async throws {
    var board = TestBoard.metaMotionS
    board.modelNumber = "4"
    let session = await DriverSession(board)
    let failure = await session.interview(remembering: nil).failure
    guard case .unknownModel = failure else {
      Issue.record("\(String(describing: failure))")
      return
    }
    try await session.link.expectNothing()
  }

  @Test(arguments: ["0b84", "0b8415"])
  func `F56 replies that cannot be read end the interview`(hex: String) async throws {
    let board = TestBoard.metaMotionS
    let session = await DriverSession(board)
    async let interview = session.interview(remembering: board.memory)
    try await session.link.expect(clockQuestion, answer: bytes(hex))
    #expect(await interview.failure == .unreadable(bytes(hex), as: "the board's clock"))
  }

  @Test func `F07 a link that ends ends the interview`() async throws {
    let session = await DriverSession(.metaMotionS)
    let lost = LinkFailure(.linkLost, "out of range")
    async let interview = session.interview(remembering: nil)
    try await session.link.expect(bytes("0180"))
    await session.link.end(because: lost)
    #expect(await interview.failure == .linkEnded(lost))
  }

  @Test func `F55 streams of an earlier session do not disturb the interview`() async throws {
    let board = TestBoard.metaMotionS
    let session = await DriverSession(board)
    async let interview = session.interview(remembering: board.memory)
    try await session.link.expect(clockQuestion)
    await session.link.answer(bytes("0304 0010 00f0 0000"))
    await session.link.answer(board.clock)
    #expect(await interview.failure == nil)
    #expect(await session.verdicts == [.unwanted])
  }
}
