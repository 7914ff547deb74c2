import FleetModel
import Testing

@testable import Fleet

/// How full logs are between two looks (MQTT contract 1.3; fault F42).
@Suite struct LogEstimateTests {
  private func estimate(_ entries: Int = 1_000, rate: Double? = 10, isLogging: Bool = true) -> LogEstimate {
    LogEstimate(entries: entries, capacity: 10_000, isLogging: isLogging, time: .at(0), rate: rate)
  }

  @Test func `grows with the rate up to the capacity`() {
    #expect(estimate().usedPercent(at: .at(0)) == 10)
    #expect(estimate().usedPercent(at: .at(100_000)) == 20)
    #expect(estimate().usedPercent(at: .at(10_000_000)) == 100)
    #expect(estimate(isLogging: false).usedPercent(at: .at(100_000)) == 10)
    #expect(estimate(rate: nil).usedPercent(at: .at(100_000)) == 10)
  }

  @Test func `tells when it is full`() {
    #expect(estimate().full == .at(900_000))
    #expect(estimate().reaches(0.8) == .at(700_000))
    #expect(estimate(9_000).reaches(0.8) == nil)
    #expect(estimate(isLogging: false).full == nil && estimate(rate: 1e-9).full == nil)
  }

  @Test func `the rate follows from what is logged`() {
    func log(_ name: String, _ configuration: JSONObject) -> StreamRequest {
      StreamRequest(name: name, configuration: configuration)
    }
    let logs = [
      "acceleration": log("acceleration", ["rate_hz": 100]),
      "temperature-die": log("temperature-die", ["every": "60s"]),
    ]
    // Two entries for a vector (MQTT contract 3.5).
    #expect(abs((LogEstimate.rate(of: logs) ?? 0) - (200 + 1.0 / 60)) < 1e-9)
    #expect(LogEstimate.rate(of: ["acceleration-y": log("acceleration-y", ["rate_hz": 100])]) == 100)
    #expect(LogEstimate.rate(of: ["step": log("step", [:])]) == nil, "steps come when they like")
    #expect(LogEstimate.rate(of: [:]) == nil)
  }

  @Test func `where nobody knows the rate it is observed`() {
    var later = estimate(1_600)
    later.time = .at(60_000)
    #expect(later.observedRate(since: estimate(rate: nil)) == 10)
    #expect(later.observedRate(since: estimate(isLogging: false)) == 10, "as before")
  }

  @Test func `survives a restart`() {
    for estimate in [estimate(), estimate(rate: nil), estimate(isLogging: false)] {
      #expect(LogEstimate(document: estimate.document) == estimate)
    }
    #expect(LogEstimate(document: [:]) == nil)
  }
}
