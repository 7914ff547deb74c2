import FleetModel
import Testing

@testable import Fleet

@Suite struct AvailabilityNoticeTests {
  @Test(
    arguments: [
      (.silent, .connected, "the board is offline"), (.connectFailed, .silent, nil),
      (.connected, .silent, "the board is online again"), (.connected, .starting, nil),
      (.advertising, .connected, nil), (.busLost, .connected, nil), (.connected, .busLost, nil),
      (.asleep, .connected, nil), (.connected, .asleep, nil), (.silent, .asleep, "the board is offline"),
      (.silent, nil, "the board is offline"), (.starting, nil, nil), (.gatewayStopped, .silent, nil),
    ] as [(Availability.Reason, Availability.Reason?, String?)])
  func `F217 the log says that a board is offline, and when it is back, once each`(
    new: Availability.Reason, before: Availability.Reason?, words: String?
  ) {
    #expect(AvailabilityNotice.words(new, after: before) == words)
  }
}
