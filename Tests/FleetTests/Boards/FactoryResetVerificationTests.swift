import FleetModel
import Testing

@testable import Fleet

/// MQTT contract 3.10: a factory reset is proved by what the board itself says afterwards.
@Suite struct FactoryResetVerificationTests {
  private static func answer(_ data: JSONObject) -> CommandOutcome { .done(evidence: .response, data: data) }
  private static let empty = answer(["loggers": [], "macros": [], "timers": []])

  @Test func `an empty board is proof`() {
    #expect(
      FactoryResetVerification.outcome(log: Self.answer(["entries": 0]), resources: Self.empty, boot: 6)
        == .done(evidence: .readback, data: ["macros": 0, "loggers": 0, "entries": 0, "boot": 6]))
  }

  @Test(
    arguments: [
      (["entries": 3], ["loggers": [], "macros": []], "entries"),
      (["entries": 0], ["loggers": [["slot": 0]], "macros": []], "loggers"),
      (["entries": 0], ["loggers": [["slot": 0]], "macros": [["slot": 1]]], "macros and loggers"),
    ] as [(JSONObject, JSONObject, String)])
  func `whatever is left is told, and is the board's fault`(
    log: JSONObject, resources: JSONObject, words: String
  ) {
    let outcome = FactoryResetVerification.outcome(
      log: Self.answer(log), resources: Self.answer(resources), boot: 6)
    guard case .failed(let failure) = outcome else {
      Issue.record("not failed")
      return
    }
    #expect(failure.code == .boardError && failure.message.contains("still stores \(words)"))
    #expect(failure.data["boot"] == 6)
  }

  @Test func `silence proves nothing`() {
    let silence = CommandOutcome.failed(CommandFailure(.boardError, "silent"))
    for (log, resources) in [(silence, Self.empty), (Self.answer(["entries": 0]), silence)] {
      guard case .unknown = FactoryResetVerification.outcome(log: log, resources: resources, boot: 6) else {
        Issue.record("not unknown")
        return
      }
    }
  }
}
