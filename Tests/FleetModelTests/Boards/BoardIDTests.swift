import FleetModel
import Testing

@Suite struct BoardIDTests {
  @Test func `is the address in lower case without separators`() throws {
    let board = try #require(BoardID("E5:A1:C2:D3:F4:B6"))
    #expect(board.description == "e5a1c2d3f4b6")
    #expect(BoardID(board.description) == board)
    #expect(board.address.colonSeparated == "E5:A1:C2:D3:F4:B6")
  }

  @Test func `sorts as its address does`() throws {
    let boards = try ["c0ffee00000a", "00ffee000002", "c0ffee000009"].map { try #require(BoardID($0)) }
    #expect(boards.sorted().map(\.description) == ["00ffee000002", "c0ffee000009", "c0ffee00000a"])
  }
}
