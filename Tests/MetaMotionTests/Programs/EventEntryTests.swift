import Testing

@testable import MetaMotion

struct EventEntryTests {
  @Test func `a command is kept in two packets`() throws {
    let entry = try #require(EventEntry(on: BoardTimer.signal(0), run: bytes("04c101")))
    #expect(entry.commands == [bytes("0a020c060004c101"), bytes("0a0301")])
    #expect(EventEntry(bytes("0a820c060004c101"), parameters: bytes("0a8301")) == entry)
  }

  @Test func `a token follows the length`() throws {
    let entry = try #require(
      EventEntry(
        on: .output(ofProcessor: 0), run: bytes("07030000"), token: DataToken(length: 4, destination: 0)))
    #expect(entry.commands == [bytes("0a020903000703020900"), bytes("0a030000")])
    #expect(EventEntry(bytes("0a820903000703020900"), parameters: bytes("0a830000")) == entry)
  }

  @Test func `tokens keep their parts`() {
    let token = DataToken(length: 7, offset: 15, destination: 17)
    #expect(token.bytes == bytes("ff11"))
    #expect(DataToken(0xFF, 0x11) == token)
    #expect(DataToken(0xFE, 0x11) == nil)
  }

  @Test(arguments: [("0a82", "0a83"), ("0a820c060004c102", "0a8301")])
  func `empty slots and cut answers`(entry: String, parameters: String) {
    #expect(EventEntry(bytes(entry), parameters: bytes(parameters)) == nil)
  }

  @Test func `only what fits is taken`() {
    let source = BoardTimer.signal(0)
    #expect(EventEntry(on: source, run: Array(repeating: 1, count: 20)) != nil)
    #expect(EventEntry(on: source, run: Array(repeating: 1, count: 21)) == nil)
    #expect(EventEntry(on: source, run: [1]) == nil)
  }
}
