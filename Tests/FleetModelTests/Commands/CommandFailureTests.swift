import FleetModel
import Testing

@Suite struct CommandFailureTests {
  /// The closed list of MQTT API 5.
  @Test func theCodesAreThoseOfTheAPI() {
    #expect(
      CommandFailure.Code.allCases.map(\.rawValue) == [
        "unreachable", "expired", "busy", "invalid", "denied", "retained", "duplicate-id-mismatch",
        "undownloaded-data", "low-battery", "no-slots", "unsupported", "board-error", "not-published",
        "internal",
      ])
  }

  @Test func theEvidencesAreThoseOfTheAPI() {
    #expect(
      [Evidence.readback, .response, .writeAcknowledged, .linkWrite].map(\.rawValue) == [
        "readback", "response", "write-ack", "link-write",
      ])
  }
}
