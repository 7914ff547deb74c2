import BoardKit
import FleetModel
import Testing

@testable import Fleet

@Suite struct LinkFailureAdviceTests {
  @Test(arguments: LinkFailure.Reason.allCases)
  func `every failure of a link has a cause and advice`(_ reason: LinkFailure.Reason) throws {
    let cause = try #require(
      LinkFailureAdvice.cause(of: reason.code, "\(reason.rawValue): org.bluez.Error.Failed", since: nil))
    #expect(cause.text.hasSuffix(". BlueZ says: org.bluez.Error.Failed"))
    #expect(cause.text.count > 60)
  }

  @Test(
    arguments: [
      (.busyElsewhere, .busyElsewhere), (.noSlots, .waitingForSlot), (.adapterGone, .adapterDown),
      (.adapterOff, .adapterDown), (.serviceGone, .bluetoothDown), (.notPermitted, .bluetoothDown),
      (.bondRequired, .connectFailing), (.unknownModel, .connectFailing),
      (.identityMismatch, .identityMismatch),
      (.unreachable, .connectFailing), (.silent, .connectFailing), (.other, .connectFailing),
    ] as [(LinkFailure.Reason, Explanation.Code)])
  func `the cause is the one to act upon`(_ reason: LinkFailure.Reason, _ code: Explanation.Code) {
    #expect(LinkFailureAdvice.cause(of: reason.code, "x", since: nil)?.code == code)
  }

  @Test func `every failure has a code of its own, and the word it always had`() {
    for reason in LinkFailure.Reason.allCases {
      #expect(reason.code.rawValue == reason.rawValue && LinkFailure.Reason(reason.code) == reason)
    }
  }

  @Test(arguments: [ReasonCode.notHeard, .disabled, .setupInvalid, .noRadio])
  func `other reasons are not about links, whatever their sentence says`(_ code: ReasonCode) {
    #expect(LinkFailureAdvice.cause(of: code, "busy-elsewhere: Notify acquired", since: nil) == nil)
  }
}
