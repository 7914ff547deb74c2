import BoardKit
import FleetModel
import Support
import Testing

@testable import Fleet

@Suite struct TransferPaceTests {
  private static func progress(_ sent: Int) -> TransferProgress { TransferProgress(sent: sent, total: 1_000) }

  @Test func `progress is published once a second, and the end at once and once`() {
    var pace = TransferPace()
    let times: [(Int, Int)] = [
      (0, 0), (100, 1_000), (200, 1_900), (300, 2_000), (999, 2_500), (1_000, 2_600), (1_000, 2_700),
      (1_000, 9_000),
    ]
    let shown = times.map { sent, time in
      pace.take(Self.progress(sent), at: .milliseconds(time), now: .at(Int64(time)))
    }
    #expect(shown == [false, true, false, true, false, true, false, false])
    #expect(pace.percent == 100)
  }

  @Test func `the end is expected at the rate so far, without the time that erasing takes`() {
    var pace = TransferPace()
    _ = pace.take(Self.progress(0), at: .seconds(0), now: .at(0))
    _ = pace.take(Self.progress(0), at: .seconds(36), now: .at(36_000))
    #expect(pace.percent == nil && pace.expected == nil)
    _ = pace.take(Self.progress(250), at: .seconds(46), now: .at(46_000))
    #expect(pace.percent == 25 && pace.expected == .at(76_000))
  }
}
