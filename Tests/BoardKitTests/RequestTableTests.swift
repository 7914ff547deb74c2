import Testing

@testable import BoardKit

struct RequestTableTests {
  private let pattern = AnswerPattern([[0x11, 0x8C]], "the battery")
  private let limit = Duration.seconds(5)

  @Test func `packets go to the oldest question they answer`() {
    var table = RequestTable()
    let first = table.add(pattern, at: .zero, limit: limit)
    let second = table.add(pattern, at: .zero, limit: limit)
    let one = table.match(packet: [0x11, 0x8C, 1])
    let two = table.match(packet: [0x11, 0x8C, 2])
    let three = table.match(packet: [0x11, 0x8C, 3])
    #expect(one?.0 == first)
    #expect(two?.0 == second)
    #expect(three == nil)
    #expect(table.takeAnswer(second) == [0x11, 0x8C, 2])
    #expect(table.takeAnswer(first) == [0x11, 0x8C, 1])
    #expect(table.isEmpty)
  }

  @Test(arguments: [[], [0x11], [0x11, 0x8D, 1], [0x8C, 0x11]] as [[UInt8]])
  func `other packets match nothing`(packet: [UInt8]) {
    var table = RequestTable()
    _ = table.add(pattern, at: .zero, limit: limit)
    let match = table.match(packet: packet)
    #expect(match == nil)
  }

  @Test func `answers in several forms are recognised`() {
    var table = RequestTable()
    let ticket = table.add(
      AnswerPattern([[0x0D, 0x81], [0x0D, 0x01]], "a bus read"), at: .zero, limit: limit)
    let answer = table.match(packet: [0x0D, 0x01, 0x0A])
    #expect(answer?.0 == ticket)
  }

  @Test func `only unanswered questions expire`() {
    var table = RequestTable()
    let answered = table.add(pattern, at: .zero, limit: limit)
    _ = table.match(packet: [0x11, 0x8C])
    let late = table.add(pattern, at: .zero, limit: limit)
    let fresh = table.add(pattern, at: .seconds(1), limit: limit)
    let early = table.expire(at: .seconds(4))
    #expect(early.isEmpty)
    let expired = table.expire(at: .seconds(5))
    #expect(expired.map(\.ticket) == [late])
    #expect(table.contains(answered))
    #expect(table.contains(fresh))
    #expect(!table.contains(late))
  }

  @Test func `nothing answers the wait for the end`() {
    var table = RequestTable()
    _ = table.add(.linkEnd, at: .zero, limit: limit)
    let match = table.match(packet: [0x11, 0x8C])
    #expect(match == nil)
  }
}

extension RequestTable {
  /// Literals alone would be lists of `Int`.
  fileprivate mutating func match(packet: [UInt8]) -> (Ticket, [UInt8])? { match(packet.span.bytes) }
}
