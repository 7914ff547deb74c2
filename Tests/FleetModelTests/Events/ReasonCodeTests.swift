import FleetModel
import Testing

@Suite struct ReasonCodeTests {
  @Test(
    arguments: [
      ([.unsupported, .unsupported], .setupUnsupported), ([.noSlots], .setupNoSlots),
      ([.invalid], .setupInvalid), ([.boardError], .setupBoardError), ([.busy], .setupRefused),
      ([.invalid, .noSlots], .setupRefused), ([], .setupRefused),
    ] as [([CommandFailure.Code], ReasonCode)])
  func `several refusals have the code they share`(_ codes: [CommandFailure.Code], _ code: ReasonCode) {
    #expect(ReasonCode(refusals: codes) == code && code.isOfSetup)
  }

  @Test func `a full adapter is not a full board`() {
    #expect(!ReasonCode.noSlots.isOfSetup && ReasonCode.setupNoSlots.isOfSetup)
  }
}
