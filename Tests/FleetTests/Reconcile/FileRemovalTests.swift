import FleetModel
import Testing

@testable import Fleet

/// How many boards may go because a file no longer lists them.
@Suite struct FileRemovalTests {
  private func removal(_ listed: Int, leaving: Int) -> FileRemoval {
    FileRemoval(
      of: Set((1...max(1, listed)).prefix(listed).map { .number($0) }),
      wanted: Set((1...100).prefix(leaving).map { .number($0) }), listsNone: leaving == 0)
  }

  @Test(
    arguments: [
      (0, 0, false), (1, 0, true), (50, 0, true), (50, 50, false), (2, 1, false), (4, 1, false),
      // More than 3, and more than a fifth.
      (50, 47, false), (50, 46, false), (50, 40, false), (50, 39, true), (5, 1, true), (20, 16, false),
      (19, 15, true),
    ])
  func `F188 none left, or more than three and more than a fifth, needs somebody who confirms it`(
    listed: Int, leaving: Int, isNeeded: Bool
  ) {
    let removal = removal(listed, leaving: leaving)
    #expect(removal.needsConfirmation == isNeeded)
    #expect(removal.boards.count == listed - leaving && removal.count == listed)
  }

  @Test func `boards that are wanted for another reason do not go`() {
    let removal = FileRemoval(of: [.number(1)], wanted: [.number(1)], listsNone: true)
    #expect(removal.boards == [] && !removal.needsConfirmation)
  }

  @Test func `F188 some of them are named, the rest is counted`() {
    #expect(
      removal(7, leaving: 0).sentence(naming: [.number(1): "Pump 3"])
        == "the file no longer lists 7 of 7 boards: Pump 3 (c0ffee000001), c0ffee000002, c0ffee000003, c0ffee000004, c0ffee000005 and 2 more"
    )
    #expect(
      removal(1, leaving: 0).sentence(naming: [:]) == "the file no longer lists 1 of 1 board: c0ffee000001")
    let many = removal(150, leaving: 0).document
    #expect(many["boards"]?.array?.count == 100 && many["more_boards"] == 50)
    #expect(removal(2, leaving: 0).document == ["boards": ["c0ffee000001", "c0ffee000002"]])
  }
}
