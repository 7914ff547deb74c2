import FleetModel
import Testing

@Suite struct JobLimitsTests {
  @Test func `without the key the defaults are in effect, and told`() throws {
    let limits = try JobLimits(nil)
    #expect(limits == JobLimits())
    #expect(limits.document == ["parallel": 8, "per_min": 600])
  }

  @Test func `what is given is taken, and told`() throws {
    let limits = try JobLimits(["parallel": 64, "per_min": 1, "abort_fail_pct": 100])
    #expect(limits.document == ["parallel": 64, "per_min": 1, "abort_fail_pct": 100])
    #expect(try JobLimits(["per_min": 5.0]).perMinute == 5, "5.0 is an integer (MQTT contract 0)")
  }

  private static let refusals: [(JSONValue, String)] = [
    (["parallel": 0], "parallel"), (["parallel": 65], "parallel"), (["parallel": "8"], "parallel"),
    (["per_min": 0], "per_min"), (["per_min": 6_001], "per_min"), (["per_min": 1.5], "per_min"),
    (["abort_fail_pct": 0], "abort_fail_pct"), (["abort_fail_pct": 101], "abort_fail_pct"),
    (["abort_fail_pct": true], "abort_fail_pct"), (["paralel": 8], "paralel"), ([1], "object"),
    (.null, "object"),
  ]

  @Test(arguments: refusals)
  func `a typo never turns into a default: it is named`(value: JSONValue, word: String) {
    let failure = #expect(throws: CommandFailure.self) { _ = try JobLimits(value) }
    #expect(failure?.code == .invalid && failure?.message.contains(word) == true)
  }
}
