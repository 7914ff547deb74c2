import FleetModel
import Testing

@Suite struct CommandFailureTests {
  /// The closed list of MQTT API 5.
  @Test func `the codes are those of the API`() {
    #expect(
      CommandFailure.Code.allCases.map(\.rawValue) == [
        "unreachable", "expired", "busy", "invalid", "denied", "retained", "duplicate-id-mismatch",
        "undownloaded-data", "low-battery", "no-slots", "unsupported", "board-error", "not-published",
        "internal",
      ])
  }

  @Test func `it is its sentence wherever it is printed`() {
    #expect("\(CommandFailure(.busy, "try later", retryAfter: .seconds(2)))" == "try later")
  }

  @Test func `whatever is busy says when to try again, and nothing else does`() {
    for code in CommandFailure.Code.allCases {
      #expect(CommandFailure(code, "").retryAfter == (code == .busy ? CommandFailure.usualStay : nil))
    }
    #expect(CommandFailure(.busy, "", retryAfter: .seconds(2)).retryAfter == .seconds(2))
  }

  @Test func `the evidences are those of the API`() {
    #expect(
      [Evidence.readback, .response, .writeAcknowledged, .linkWrite].map(\.rawValue) == [
        "readback", "response", "write-ack", "link-write",
      ])
  }
}
