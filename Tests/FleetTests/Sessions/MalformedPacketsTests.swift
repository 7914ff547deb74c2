import Testing

@testable import Fleet

@Suite struct MalformedPacketsTests {
  /// At which packet the link is given up, of `count` packets so far apart; nil if at none.
  private func verdict(_ count: Int, every pause: Duration) -> Int? {
    var packets = MalformedPackets()
    return (1...count).first { packets.isTooMuch(at: pause * $0) }
  }

  @Test func `F56 the twentieth unreadable packet in ten seconds ends the link, not an earlier one`() {
    #expect(verdict(40, every: .zero) == 20)
    #expect(verdict(40, every: .milliseconds(500)) == 20)
  }

  @Test
  func `F56 unreadable packets now and then are only counted`() {
    #expect(verdict(10_000, every: .milliseconds(550)) == nil)
  }
}
