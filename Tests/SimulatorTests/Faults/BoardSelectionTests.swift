import FleetModel
import Testing

@testable import Simulator

struct BoardSelectionTests {
  private static let boards = (1...5).map { BoardIdentity(number: $0).address }

  @Test(arguments: [
    ("all", [1, 2, 3, 4, 5]), ("3", [3]), ("2-4", [2, 3, 4]), ("5,1,1-2", [1, 2, 5]),
    ("1-5", [1, 2, 3, 4, 5]),
    ("c0ffee000002", [2]), ("C0:FF:EE:00:00:05,1", [1, 5]),
  ])
  func `Numbers, ranges and addresses`(text: String, numbers: [Int]) throws {
    #expect(try BoardSelection.parse(text, of: Self.boards) == numbers.map { Self.boards[$0 - 1] })
  }

  @Test(arguments: [
    "0", "6", "1-6", "4-2", "-1", "1-", "1,,2", "", "x", "1-2-3", "C0:FF:EE:00:00:06", "99999999999999999999",
  ])
  func `What names no board is a problem`(text: String) {
    #expect(throws: FaultProblem.self) { try BoardSelection.parse(text, of: Self.boards) }
  }

  @Test func `Without boards there is nothing to name`() {
    #expect(throws: FaultProblem.self) { try BoardSelection.parse("1", of: []) }
  }
}
