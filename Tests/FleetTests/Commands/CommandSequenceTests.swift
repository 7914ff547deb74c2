import Testing

@testable import Fleet

@Suite struct CommandSequenceTests {
  @Test func `turns come in order, one at a time`() {
    var turns = CommandSequence()
    let (a, b, c) = (turns.take(), turns.take(), turns.take())
    #expect(turns.next == a)
    turns.begin(a)
    #expect(turns.next == nil && turns.current == a)
    turns.leave(b)
    #expect(turns.next == nil)
    turns.leave(a)
    #expect(turns.next == c && turns.current == nil)
  }

  @Test func `whoever could not begin waits in its place again`() {
    var turns = CommandSequence()
    let (a, b) = (turns.take(), turns.take())
    turns.begin(a)
    turns.giveBack(a)
    #expect(turns.next == a)
    turns.leave(a)
    turns.giveBack(a)
    #expect(turns.next == b, "whoever left does not come back")
  }
}
