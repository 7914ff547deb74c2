import Testing

@testable import metafleet

@Suite struct BrokerOutageTests {
  @Test func `F211 an outage counts from the first loss, whatever fails after it, and says so`() {
    var outage = BrokerOutage()
    #expect(outage.line(at: .seconds(1)) == nil && outage.began == nil)
    outage.lost(because: "it closed", at: .seconds(10))
    outage.lost(because: "refused", at: .seconds(15))
    #expect(outage.began == .seconds(10))
    #expect(
      outage.line(at: .seconds(22))
        == "broker gone for 12s, trying again; below is the last picture (refused)")
    outage.restored(at: .seconds(30))
    #expect(outage.began == nil && outage.ended == .seconds(30))
    #expect(outage.line(at: .seconds(31)) == "broker back; reading the fleet again")
    outage.lost(because: "again", at: .seconds(32))
    #expect(outage.began == .seconds(32) && outage.ended == nil)
    outage.isOver()
    #expect(outage == BrokerOutage())
  }
}
