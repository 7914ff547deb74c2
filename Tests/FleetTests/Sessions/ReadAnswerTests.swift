import FleetModel
import Testing

@testable import Fleet

@Suite struct ReadAnswerTests {
  @Test func `F129 what can be is answered as it is`() {
    let data: JSONObject = ["ts_ms": 1, "battery_pct": 81, "battery_mv": 4_000]
    let answer = ReadAnswer(data, to: "battery", [:])
    #expect(answer.data == data)
    #expect(answer.impossible.isEmpty)
    #expect(answer.stream == "battery")
  }

  @Test func `F129 what cannot be is left out and named`() {
    let answer = ReadAnswer(["battery_pct": 255, "battery_mv": 4_000], to: "battery", [:])
    #expect(answer.data == ["battery_mv": 4_000, "impossible": ["battery_pct"]])
    #expect(answer.impossible == [ImpossibleValue(field: "battery_pct", value: 255)])
    guard case .done(_, let data) = answer.outcome(by: .response) else {
      Issue.record("not done")
      return
    }
    #expect(data == answer.data)
  }

  private static let nothingCases: [(String, JSONObject, JSONObject)] = [
    ("temperature", [:], ["temperature_c": .number(-4_096), "source": "external", "channel": 2]),
    ("pressure", [:], ["pressure_pa": 0]), ("humidity", [:], ["humidity_pct": 120]),
    ("gpio", ["kind": "adc"], ["adc_counts": 65_535, "pin": 3]),
    ("battery", [:], ["battery_pct": 255, "battery_mv": 65_535]),
  ]

  @Test(arguments: nothingCases)
  func `F129 when nothing is left, the read fails and says what the board answered`(
    what: String, selectors: JSONObject, data: JSONObject
  ) {
    let outcome = ReadAnswer(data, to: what, selectors).outcome(by: .response)
    guard case .failed(let failure) = outcome else {
      Issue.record("not failed: \(outcome)")
      return
    }
    #expect(failure.code == .boardError)
    #expect(failure.message.contains("outside what the sensor can measure"))
  }

  @Test func `answers that are no stream's are nobody's business here`() {
    let data: JSONObject = ["address": "E8:C9:8F:52:7B:07"]
    let answer = ReadAnswer(data, to: "mac", [:])
    #expect(answer.data == data)
    #expect(answer.stream == nil)
  }
}
