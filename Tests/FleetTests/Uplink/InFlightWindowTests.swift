import Testing

@testable import Fleet

/// MQTT contract 9: at most 100 QoS 1 messages in flight, never above the broker's Receive Maximum.
@Suite struct InFlightWindowTests {
  private static let capacityCases: [(Int, Int)] = [
    (20, 20), (100, 100), (65_535, 100), (1, 1), (0, 1), (-5, 1),
  ]

  @Test(arguments: capacityCases)
  func `the broker's Receive Maximum bounds it`(receiveMaximum: Int, room: Int) {
    var window = InFlightWindow()
    window.opened(receiveMaximum: receiveMaximum)
    #expect(window.room == room)
  }

  @Test func `what is under way takes room until it is answered`() {
    var window = InFlightWindow()
    window.opened(receiveMaximum: 2)
    window.sent(1)
    window.sent(2)
    #expect(window.room == 0 && window.underWay == [1, 2])
    #expect(window.answered(1) == true)
    #expect(window.room == 1)
  }

  @Test func `I11 only an answer for that very row counts, and only once`() {
    var window = InFlightWindow()
    window.opened(receiveMaximum: 10)
    window.sent(1)
    #expect(!window.answered(2) && !window.answered(0))
    #expect(window.answered(1) == true)
    #expect(window.answered(1) == false)
  }

  @Test func `F64 a new connection has nothing under way: old answers count for nothing`() {
    var window = InFlightWindow()
    window.opened(receiveMaximum: 10)
    window.sent(1)
    window.opened(receiveMaximum: 5)
    #expect(window.room == 5 && window.underWay.isEmpty)
    #expect(window.answered(1) == false)
  }
}
