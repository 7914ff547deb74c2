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

  @Test(arguments: LinkFailure.Reason.allCases)
  func `F175 only BlueZ's own words are said to be BlueZ's`(_ reason: LinkFailure.Reason) throws {
    for sentence in [
      "the board did not answer within 20 s", "no answer within 30 s", "BlueZ removed the device",
    ] {
      let text = try #require(
        LinkFailureAdvice.cause(of: reason.code, "\(reason.rawValue): \(sentence)", since: nil)?.text)
      #expect(text.hasSuffix(" (\(sentence))") && !text.contains("BlueZ says"))
    }
    let bare = try #require(LinkFailureAdvice.cause(of: reason.code, nil, since: nil)?.text)
    #expect(!bare.contains("BlueZ says") && !bare.hasSuffix(")"))
  }

  @Test func `F175 what the advice begins with is not said a second time`() throws {
    let text = try #require(
      LinkFailureAdvice.cause(of: .linkLost, "link-lost: the connection was lost", since: nil)?.text)
    #expect(text.ranges(of: "the connection was lost").count == 1 && !text.hasSuffix(")"))
  }

  @Test(arguments: LinkFailure.Reason.allCases)
  func `F176 while another board is connected nobody is sent to restart Bluetooth or to plug an adapter in`(
    _ reason: LinkFailure.Reason
  ) throws {
    let cause = try #require(
      LinkFailureAdvice.cause(of: reason.code, nil, since: nil, isDisproved: true))
    #expect(
      !cause.text.contains("systemctl") && !cause.text.contains("rfkill") && !cause.text.contains("plug"))
    #expect(![.bluetoothDown, .adapterDown, .notPermitted].contains(cause.code))
  }

  @Test(
    arguments: [
      (.busyElsewhere, .busyElsewhere), (.noSlots, .waitingForSlot), (.adapterGone, .adapterDown),
      (.adapterOff, .adapterDown), (.serviceGone, .bluetoothDown), (.notPermitted, .notPermitted),
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

  @Test(arguments: [ReasonCode.notHeard, .disabled, .setupInvalid, .scanSilent])
  func `other reasons are not about links, whatever their sentence says`(_ code: ReasonCode) {
    #expect(LinkFailureAdvice.cause(of: code, "busy-elsewhere: Notify acquired", since: nil) == nil)
  }
}
