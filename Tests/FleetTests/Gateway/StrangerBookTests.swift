import FleetModel
import Testing

@testable import Fleet

@Suite struct StrangerBookTests {
  @Test func `a stranger is told once a day`() {
    var book = StrangerBook()
    let told = [0, 1, 86_399, 86_400].map { book.isNews(.number(1), at: .seconds($0)) }
    #expect(told == [true, false, false, true])
  }

  @Test func `a crowd of changing addresses cannot fill the memory`() {
    var book = StrangerBook()
    for number in 0..<StrangerBook.limit { _ = book.isNews(.number(number), at: .zero) }
    let more = book.isNews(.number(StrangerBook.limit), at: .seconds(1))
    let later = book.isNews(.number(StrangerBook.limit), at: .seconds(3_600))
    #expect(!more && later)
  }
}
