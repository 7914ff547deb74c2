import Testing

@testable import Web

@Suite struct ConnectionAgesTests {
  @Test func `F227 a connection has so long for its request and answer`() {
    var ages = ConnectionAges(limit: .seconds(30))
    let numbers = [ages.began(at: .zero), ages.began(at: .seconds(1)), ages.began(at: .zero)]
    #expect(numbers == [1, 2, 3])
    ages.ended(3)
    let early = ages.takeOverdue(at: .seconds(29))
    let first = ages.takeOverdue(at: .seconds(30))
    let again = ages.takeOverdue(at: .seconds(30))
    #expect(early == [] && first == [1] && again == [])
    let second = ages.takeOverdue(at: .seconds(60))
    #expect(second == [2] && ages.isEmpty)
  }
}
