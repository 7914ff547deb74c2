import FleetModel
import Testing

@testable import Fleet

@Suite struct PageErasureTests {
  private func release(
    clear: Bool? = nil, _ policy: VisitPolicy.Clear, isDatable: Bool = true, wasStoppedForBroker: Bool = false
  ) -> PageErasure {
    PageErasure(
      DownloadOrder(clear: clear), policy: policy, isDatable: isDatable,
      wasStoppedForBroker: wasStoppedForBroker)
  }

  @Test func `F112 a command goes before the profile, and never is never`() {
    #expect(release(.never) == .never && release(.complete) == .stored)
    for policy in VisitPolicy.Clear.allCases {
      #expect(release(clear: false, policy) == .never && release(clear: true, policy) == .stored)
    }
    #expect(!PageErasure.never.mayErase && PageErasure.acknowledged.mayErase)
  }

  @Test func `F115 published waits for the broker, unless that would last for ever or twice`() {
    #expect(release(.published) == .acknowledged)
    #expect(release(.published, isDatable: false) == .beforePublished)
    #expect(release(.published, wasStoppedForBroker: true) == .beforePublished)
  }
}
