import FleetModel
import Testing

@testable import Fleet

@Suite struct DiscoveredBoardsTests {
  @Test func `a discovered board is reported once a day`() {
    var book = DiscoveredBoards()
    let told = [0, 1, 86_399, 86_400].map { book.shouldReport(.number(1), at: .seconds($0)) }
    #expect(told == [true, false, false, true])
  }

  @Test func `a crowd of changing addresses cannot fill the memory`() {
    var book = DiscoveredBoards()
    for number in 0..<DiscoveredBoards.limit { _ = book.shouldReport(.number(number), at: .zero) }
    let more = book.shouldReport(.number(DiscoveredBoards.limit), at: .seconds(1))
    let later = book.shouldReport(.number(DiscoveredBoards.limit), at: .seconds(3_600))
    #expect(!more && later)
  }
}
