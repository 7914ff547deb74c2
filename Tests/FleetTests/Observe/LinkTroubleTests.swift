import BoardKit
import FleetModel
import Testing

@testable import Fleet

@Suite struct LinkTroubleTests {
  @Test(arguments: LinkFailure.Reason.allCases)
  func `every failure of a link has a cause and advice`(_ reason: LinkFailure.Reason) throws {
    let cause = try #require(LinkTrouble.cause(of: "\(reason.rawValue): org.bluez.Error.Failed", since: nil))
    #expect(cause.text.hasSuffix(". BlueZ says: org.bluez.Error.Failed"))
    #expect(cause.text.count > 60)
  }

  @Test(
    arguments: [
      (.busyElsewhere, .busyElsewhere), (.noSlots, .waitingForSlot), (.adapterGone, .adapterDown),
      (.adapterOff, .adapterDown), (.serviceGone, .bluetoothDown), (.notPermitted, .bluetoothDown),
      (.unreachable, .connectFailing), (.silent, .connectFailing), (.other, .connectFailing),
    ] as [(LinkFailure.Reason, Explanation.Code)])
  func `the cause is the one to act upon`(_ reason: LinkFailure.Reason, _ code: Explanation.Code) {
    #expect(LinkTrouble.cause(of: "\(reason.rawValue): x", since: nil)?.code == code)
  }

  @Test(arguments: ["", ":", "not heard yet", "acceleration: no such rate", "busy-elsewhere"])
  func `other sentences are not about links`(_ sentence: String) {
    #expect(LinkTrouble.cause(of: sentence, since: nil) == nil)
  }
}
