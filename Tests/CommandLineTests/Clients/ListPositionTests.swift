import Testing

@testable import metafleet

@Suite struct ListPositionTests {
  @Test func `it stays in the list whatever is pressed, and says where it is`() {
    var position = ListPosition()
    position.fit(60, in: 13)
    for key in [.up, .pageUp] as [TerminalKey] { _ = position.press(key) }
    position.fit(60, in: 13)
    #expect(position.offset == 0 && position.text(of: 60) == "1–13 of 60  ")
    for key in [.pageDown, .down] as [TerminalKey] { _ = position.press(key) }
    position.fit(60, in: 13)
    #expect(position.text(of: 60) == "15–27 of 60  ")
    let isTaken = position.press(.end)
    #expect(isTaken)
    position.fit(60, in: 13)
    #expect(position.text(of: 60) == "48–60 of 60  ")
    // The list became shorter.
    position.fit(5, in: 13)
    #expect(position.offset == 0 && position.text(of: 5).isEmpty)
    for key in [.character("x"), .enter] as [TerminalKey] {
      let isTaken = position.press(key)
      #expect(!isTaken)
    }
  }
}
