import FleetModel
import Testing

@testable import Fleet

@Suite struct RSSIReadingTests {
  @Test func `a strength says how old it is`() {
    let answer = RSSIReading.answer(RSSIReading(strength: -61, at: .seconds(10)), now: .milliseconds(12_345))
    #expect(answer == .done(evidence: .response, data: ["rssi_dbm": -61, "age_ms": 2_345]))
  }

  @Test func `a board that was never heard has none`() {
    guard case .failed(let failure) = RSSIReading.answer(nil, now: .seconds(1)) else {
      return #expect(Bool(false), "made up")
    }
    #expect(failure.code == .unsupported)
  }
}
