import Fleet
import FleetModel
import Testing

@testable import metafleet

@Suite struct ExplanationSheetTests {
  @Test func `for people it says for how long, and shows no control characters`() {
    let now = Timestamp(milliseconds: 1_763_671_090_000)
    let explanation = Explanation(
      summary: "no data (unseen)", hasData: false,
      causes: [
        .init(.asleep, since: now - .seconds(90), "press its button"), .init(.notSeen, "where is it?"),
      ],
      next: [.init(time: now + .seconds(60), text: "visit")])
    #expect(
      explanation.sheet(of: "Pump\u{1B}", now: now).lines(width: 80, isColoured: false) == [
        "Pump\\u{1B}: no data (unseen)", "  asleep    press its button (for 90s)", "  not-seen  where is it?",
        "  next      in 60s: visit",
      ])
  }
}
