import BoardKit
import FleetModel
import Testing

@testable import Fleet

@Suite struct StreamChangeTests {
  private func stream(
    _ key: Int, _ rate: Int64 = 50, doubts: Set<QualityReason> = []
  ) -> ActiveStream {
    ActiveStream(
      key: StreamKey(key), request: .acceleration(rate), period: .milliseconds(20), isPolled: false,
      doubts: doubts)
  }

  @Test func `the first streams of a link open in the order of their keys`() {
    #expect(
      StreamChange.changes(from: [], to: [stream(2), stream(0)]) == [.open(stream(0)), .open(stream(2))])
  }

  @Test func `what goes on as it was keeps its lanes, whatever speaks against its values by now`() {
    let changes = StreamChange.changes(from: [stream(0)], to: [stream(0, doubts: [.configUnverified])])
    #expect(changes == [.doubt(StreamKey(0), [.configUnverified])])
  }

  @Test func `what is configured otherwise ends and begins anew; what is not there any more ends`() {
    let changes = StreamChange.changes(
      from: [stream(0), stream(1), stream(3)], to: [stream(1, 100), stream(3)])
    #expect(
      changes == [
        .retire(StreamKey(0)), .retire(StreamKey(1)), .doubt(StreamKey(3), []), .open(stream(1, 100)),
      ])
  }
}
