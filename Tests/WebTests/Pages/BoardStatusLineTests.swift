import FleetModel
import Testing

@testable import Web

@Suite struct BoardStatusLineTests {
  private static func line(_ change: (inout FleetSnapshot.Board) -> Void) throws -> BoardStatusLine {
    var board = try #require(SampleFleet.snapshot(boards: 1).boards.first)
    change(&board)
    return BoardStatusLine(board)
  }

  @Test func `a board that does what it should has no reasons`() throws {
    let line = try Self.line { _ in }
    #expect(!line.isTrouble && line.reasons == [])
    #expect(line.availability == "online" && line.link == "streaming")
  }

  @Test func `whatever is said against it is a reason`() throws {
    let line = try Self.line {
      $0.state?.reason = StatedReason(.streamSilent, "first")
      $0.state?.troubles = [StreamTrouble("switch", StatedReason(.streamSilent, "second"))]
    }
    #expect(line.isTrouble && line.reasons == ["first", "switch: second"])
  }

  @Test func `a board that cannot be counted on is in trouble even without a reason`() throws {
    let silent = try Self.line { $0.availability = Availability(reason: .silent, since: SampleFleet.now) }
    #expect(silent.isTrouble && silent.reasons == ["silent"] && silent.availability == "offline")
    let unknown = BoardStatusLine(FleetSnapshot.Board(SampleFleet.id(1)))
    #expect(unknown.isTrouble && unknown.reasons == [] && unknown.availability == "not known yet")
  }
}
