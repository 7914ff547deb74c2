import Testing

@testable import FleetModel

@Suite struct ReplayRequestTests {
  private let board = BoardID(BluetoothAddress(rawValue: 1))
  private let other = BoardID(BluetoothAddress(rawValue: 2))

  @Test func `everything is wanted unless something is named`() {
    let all = ReplayRequest(from: Timestamp(milliseconds: 1))
    for lane in ReplayRequest.Lane.allCases {
      #expect(all.wants(lane, of: board) && all.wants(lane, of: nil))
    }
    let some = ReplayRequest(from: Timestamp(milliseconds: 1), boards: [board], lanes: [.log])
    #expect(some.wants(.log, of: board))
    #expect(!some.wants(.log, of: other) && !some.wants(.log, of: nil) && !some.wants(.record, of: board))
  }

  @Test func `a stretch without an end ends now; one that begins in the future is empty`() {
    let now = Timestamp(milliseconds: 100)
    #expect(
      ReplayRequest(from: Timestamp(milliseconds: 1)).period(until: now) == Timestamp(milliseconds: 1)..<now)
    #expect(ReplayRequest(from: Timestamp(milliseconds: 200)).period(until: now).isEmpty)
    let closed = ReplayRequest(from: Timestamp(milliseconds: 1), to: Timestamp(milliseconds: 9))
    #expect(closed.period(until: now).upperBound == Timestamp(milliseconds: 9))
  }
}
