import Testing

@testable import MetaMotion

struct InterviewMemoryTests {
  private let board = TestBoard.metaMotionS

  @Test(arguments: TestBoard.all)
  func `a record survives its storage`(board: TestBoard) throws {
    let memory = InterviewMemory(device: board.device, replies: board.replies)
    #expect(InterviewMemory(memory.encoded) == memory)
    #expect(memory.fits(board.device))
    #expect(memory.encoded.count < 200)
  }

  @Test func `a board that changed is not the remembered one`() throws {
    let memory = try #require(InterviewMemory(board.memory))
    var other = board
    other.firmware = "1.7.4"
    #expect(!memory.fits(other.device))
    other = board
    other.hardware = "0.5"
    #expect(!memory.fits(other.device))
    other = board
    other.modelNumber = "5"
    #expect(!memory.fits(other.device))
    other = board
    other.hardware = "0.4"
    #expect(memory.fits(other.device))
  }

  @Test func `half a record is none`() {
    let record = board.memory
    for length in record.indices {
      #expect(InterviewMemory(Array(record.prefix(length))) == nil, "\(length)")
    }
    #expect(InterviewMemory(record + [0]) == nil)
  }

  @Test func `records of other versions are none`() {
    var record = board.memory
    record[0] = 2
    #expect(InterviewMemory(record) == nil)
  }

  @Test func `a reply of another module is no reply`() throws {
    var replies = board.replies
    replies[.led] = bytes("03800400")
    #expect(InterviewMemory(InterviewMemory(device: board.device, replies: replies).encoded) == nil)
    replies[.led] = nil
    #expect(InterviewMemory(InterviewMemory(device: board.device, replies: replies).encoded) == nil)
  }
}
