import FleetModel
import Testing

@testable import Fleet

@Suite struct PageReleaseTests {
  private func release(
    clear: Bool? = nil, _ policy: VisitPolicy.Clear, isDatable: Bool = true, wasHeld: Bool = false
  ) -> PageRelease {
    PageRelease(DownloadOrder(clear: clear), policy: policy, isDatable: isDatable, wasHeld: wasHeld)
  }

  @Test("F112 a command goes before the profile, and never is never")
  func orders() {
    #expect(release(.never) == .never && release(.complete) == .stored)
    for policy in VisitPolicy.Clear.allCases {
      #expect(release(clear: false, policy) == .never && release(clear: true, policy) == .stored)
    }
    #expect(!PageRelease.never.mayErase && PageRelease.acknowledged.mayErase)
  }

  @Test("F115 published waits for the broker, unless that would last for ever or twice")
  func published() {
    #expect(release(.published) == .acknowledged)
    #expect(release(.published, isDatable: false) == .beforePublished)
    #expect(release(.published, wasHeld: true) == .beforePublished)
  }
}
