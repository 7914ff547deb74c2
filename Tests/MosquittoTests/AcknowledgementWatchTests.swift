import Dialects
import Testing

@testable import Mosquitto

@Suite struct AcknowledgementWatchTests {
  private static let limit = Int(BrokerLimits.acknowledgementTime.components.seconds)

  /// After how many seconds it is noticed; nil: not within ten minutes.
  private func noticed(
    _ change: (Int, inout AcknowledgementWatch) -> (isWaiting: Bool, isSent: Bool)
  ) -> Int? {
    var watch = AcknowledgementWatch()
    return (1...600).first { second in
      let (isWaiting, isSent) = change(second, &watch)
      return watch.tick(isWaiting: isWaiting, isSent: isSent)
    }
  }

  @Test func `F64 a minute without any acknowledgement is noticed`() {
    #expect(Self.limit == 60)
    #expect(noticed { _, _ in (true, true) } == Self.limit)
  }

  @Test func `F64 one acknowledgement a minute is enough, and so is nothing to acknowledge`() {
    #expect(
      noticed { second, watch in
        if second.isMultiple(of: Self.limit - 1) { watch.acknowledged() }
        return (true, true)
      } == nil)
    #expect(noticed { second, _ in (!second.isMultiple(of: 50), true) } == nil)
  }

  @Test func `F72 a line on which messages still wait to leave is not blamed, and gets the whole time then`()
  {
    #expect(noticed { _, _ in (true, false) } == nil)
    #expect(noticed { second, _ in (true, second > 100) } == 100 + Self.limit)
  }
}
