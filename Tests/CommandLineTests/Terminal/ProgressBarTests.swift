import Testing

@testable import metafleet

@Suite struct ProgressBarTests {
  @Test func `it is drawn when it looks different, and never beyond its end`() {
    var bar = ProgressBar(total: 1_000)
    #expect(bar.advance(by: 0) == "\r[..............................] 0 %")
    #expect(bar.advance(by: 5) == nil)
    #expect(bar.advance(by: 505) == "\r[###############...............] 51 %")
    #expect(bar.advance(by: 9_000) == "\r[##############################] 100 %")
  }
}
