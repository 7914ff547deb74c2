import Testing

@testable import Mosquitto

@Suite struct CongestionTests {
  /// Offers QoS 0 messages one after the other; returns which of them may go.
  private func offer(_ messages: (bytes: Int, isBlocked: Bool)..., after earlier: Congestion = .init())
    -> [Bool]
  {
    var congestion = earlier
    return messages.map { congestion.admits(bytes: $0.bytes, isBlocked: $0.isBlocked) }
  }

  @Test func `while the socket takes everything nothing is held back`() {
    let all = Congestion.limit
    #expect(offer((all, false), (all, false), (all, false)) == [true, true, true])
  }

  @Test func `a blocked socket piles up to the limit, and no further until it is free`() {
    let half = Congestion.limit / 2
    #expect(
      offer((half, false), (half, true), (1, true), (1, true), (1, false)) == [
        true, true, false, false, true,
      ])
  }

  @Test func `other messages count`() {
    var congestion = Congestion()
    congestion.note(bytes: Congestion.limit, isBlocked: true)
    #expect(offer((1, true), after: congestion) == [false])
    congestion.note(bytes: 1, isBlocked: false)
    #expect(offer((1, true), after: congestion) == [true])
  }

  @Test func `one message larger than the limit goes when nothing is before it`() {
    #expect(offer((Congestion.limit + 1, false), (1, true)) == [true, false])
  }
}
