import Testing

@testable import Fleet

@Suite struct RateSearchTests {
  /// Packets that span 10 ms and come after these milliseconds.
  private func search(_ arrivals: [Double]) -> RateSearch {
    RateSearch(
      packets: arrivals.enumerated().map {
        .init(arrival: $0.element * 1_000_000, position: Double($0.offset) * 10_000_000)
      }, span: 10_000_000)
  }

  @Test func `what is late costs by how much of a packet it is, and what stays late is lost`() {
    #expect(search([0, 10, 20, 30]).cost(of: 1) == 0)
    #expect(abs(search([0, 12, 20, 30]).cost(of: 1) - 0.2) < 1e-9)
    #expect(search([0, 45, 45, 45, 45, 50]).cost(of: 1) == 3.5, "no more than one each")
    #expect(search([0, 10, 30, 40]).cost(of: 1) == 0.5)
    #expect(search([0, 10, 40, 50]).cost(of: 1) == 1)
    #expect(search([0, 12.5, 25, 37.5]).cost(of: 1.25) == 0)
  }

  @Test func `F145 a slower rate is found, also among packets of which some are late`() {
    let even = (0..<20).map { Double($0) * 14.9 }
    #expect(abs(search(even).best(near: 1, rightIn: 0) - 1.49) < 0.003)
    var uneven = even
    for index in [4, 5, 11] { uneven[index] += 13 }
    #expect(abs(search(uneven).best(near: 1, rightIn: 0) - 1.49) < 0.003)
    #expect(search(even).best(near: 1.49, rightIn: 0) == 1.49)
  }

  @Test
  func
    `F144 the known rate stays where few are lost, where all came at once, and the more the better it is known`()
  {
    let lossy = (0..<24).filter { $0 % 6 != 5 }.map { Double($0) * 10 }
    #expect(search(lossy).best(near: 1, rightIn: 0) == 1)
    #expect(search([Double](repeating: 0, count: 30)).best(near: 1, rightIn: 0) == 1)
    let slow = (0..<12).map { Double($0) * 12.5 }
    #expect(search(slow).best(near: 1, rightIn: 0) > 1.2)
    #expect(search(slow).best(near: 1, rightIn: 12) < 1.07)
  }
}
