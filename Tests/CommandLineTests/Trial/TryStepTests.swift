import FleetModel
import Testing

@testable import metafleet

@Suite struct TryStepTests {
  @Test func `a step is a line that says what came of it`() {
    #expect(TryStep.done(.battery, "81 %").line == "battery       81 %")
    #expect(TryStep.leftOut(.led, "it is in use").line == "led           left out: it is in use")
    #expect(TryStep.failed(.acceleration, "no sample").line == "acceleration  failed: no sample")
  }

  @Test func `what comes from a board does not steer the terminal`() {
    #expect(TryStep.done(.information, "x\u{1B}[2J").line == "information   x\\u{1B}[2J")
  }

  @Test func `a step is an object with its data, and with what a person is told where it was not done`() {
    #expect(
      TryStep.done(.battery, "81 %", ["battery_pct": 81]).json
        == ["step": "battery", "result": "done", "battery_pct": 81])
    #expect(
      TryStep.leftOut(.led, "it is in use").json
        == ["step": "led", "result": "left-out", "reason": "it is in use"])
    #expect(
      TryStep.failed(.scan, "nothing", .no, ["boards": []]).json
        == ["step": "scan", "result": "failed", "error": "nothing", "boards": []])
  }
}
