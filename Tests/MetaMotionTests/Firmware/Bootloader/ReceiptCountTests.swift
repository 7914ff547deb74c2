import Testing

@testable import MetaMotion

@Suite struct ReceiptCountTests {
  @Test func `what was sent is there`() {
    var count = ReceiptCount()
    #expect(count.judge(200, sent: 200, confirmed: 0) == .whole)
    #expect(count.judge(400, sent: 400, confirmed: 200) == .whole)
  }

  @Test func `D04 a repetition says nothing new, and less or more than was sent is told apart`() {
    var count = ReceiptCount()
    #expect(count.judge(200, sent: 200, confirmed: 0) == .whole)
    #expect(count.judge(200, sent: 400, confirmed: 200) == .old(200))
    #expect(count.judge(380, sent: 400, confirmed: 200) == .other(380))
    #expect(count.judge(420, sent: 400, confirmed: 200) == .other(420))
  }

  @Test func `D04 a count that begins elsewhere goes on from there`() {
    var count = ReceiptCount()
    #expect(count.judge(5_200, sent: 200, confirmed: 0) == .whole)
    #expect(count.judge(5_380, sent: 400, confirmed: 200) == .other(380))
    #expect(count.judge(5_400, sent: 400, confirmed: 200) == .whole)
    #expect(count.judge(100, sent: 600, confirmed: 400) == .old(0))
  }

  @Test func `D04 a first count that was too high is put right by the next`() {
    var count = ReceiptCount()
    #expect(count.judge(260, sent: 200, confirmed: 0) == .whole)
    #expect(count.judge(400, sent: 400, confirmed: 200) == .whole)
    #expect(count.judge(600, sent: 600, confirmed: 400) == .whole)
  }
}
