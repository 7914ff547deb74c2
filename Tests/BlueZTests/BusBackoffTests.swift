import Testing

@testable import BlueZ

@Suite struct BusBackoffTests {
  private func seconds(_ lives: [Duration]) -> [Duration] {
    var backoff = BusBackoff(policy: BlueZPolicy())
    return lives.map { backoff.next(afterLife: $0) }
  }

  @Test func `F12 the bus is tried again after 0.5 s, then twice as long each time, at last every 30 s`() {
    let expected: [Duration] = [0.5, 1, 2, 4, 8, 16, 30, 30, 30].map { .milliseconds(Int($0 * 1000)) }
    #expect(seconds(Array(repeating: .zero, count: 9)) == expected)
  }

  @Test func `F12 a bus that lets us in and throws us out is no better than one that is not there`() {
    #expect(
      seconds([.seconds(1), .seconds(2), .seconds(3)]) == [.milliseconds(500), .seconds(1), .seconds(2)])
  }

  @Test func `F12 after a connection that held, the first attempt comes soon`() {
    #expect(
      seconds([.zero, .zero, .seconds(3_600), .zero]) == [
        .milliseconds(500), .seconds(1), .milliseconds(500), .seconds(1),
      ])
  }
}
