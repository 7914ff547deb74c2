import FleetModel
import Testing

@Suite struct LinkPhaseTests {
  @Test func `there are the twelve of the API`() {
    #expect(
      LinkPhase.allCases.map(\.rawValue) == [
        "unseen", "advertising", "waiting-for-slot", "connecting", "interviewing", "idle", "streaming",
        "logging", "downloading", "updating", "bootloader", "unreachable",
      ])
  }

  @Test func `a logging board is disconnected by design`() {
    #expect(
      LinkPhase.allCases.filter(\.isConnected) == [.interviewing, .idle, .streaming, .downloading])
  }
}

@Suite struct AvailabilityTests {
  private static let everyReasonBelongsToOneStateCases: [(Availability.State, [String])] = [
    (Availability.State.online, ["connected", "advertising", "visited"]),
    (.offline, ["silent", "connect-failed", "asleep", "bootloader", "identity-mismatch"]),
    (.unknown, ["starting", "no-adapter", "bus-lost", "gateway-stopped", "moved"]),
  ]

  /// MQTT contract 1.2.
  @Test(arguments: everyReasonBelongsToOneStateCases)
  func `every reason belongs to one state`(state: Availability.State, reasons: [String]) {
    #expect(Availability.Reason.allCases.filter { $0.state == state }.map(\.rawValue) == reasons)
    for reason in Availability.Reason.allCases where reason.state == state {
      #expect(Availability(reason: reason, since: Timestamp(milliseconds: 1)).state == state)
    }
  }
}
