import Testing

@testable import Web

@Suite struct PageFreshnessTests {
  private static let metrics = PageView(.metrics, showsNames: true)

  @Test func `F228 a page is made once a second at most, however many ask`() {
    var freshness = PageFreshness()
    func ask(_ milliseconds: Int, _ view: PageView = Self.metrics) -> PageFreshness.Step {
      freshness.asked(for: view, at: .milliseconds(milliseconds))
    }
    #expect(ask(0) == .make)
    #expect(ask(1) == .wait)
    #expect(ask(1, PageView(.metrics, showsNames: false)) == .make)
    freshness.made(Self.metrics, at: .milliseconds(50))
    #expect(ask(60) == .show)
    #expect(ask(1_049) == .show)
    #expect(ask(1_050) == .make)
    #expect(ask(1_060) == .wait)
  }
}
