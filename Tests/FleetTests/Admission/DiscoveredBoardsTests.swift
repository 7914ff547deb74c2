import FleetModel
import Testing

@testable import Fleet

@Suite struct DiscoveredBoardsTests {
  @Test func `a discovered board is reported once a day`() {
    var boards = DiscoveredBoards()
    let notices = [0, 1, 86_399, 86_400].map { boards.notice(.number(1), at: .seconds($0)) }
    #expect(notices == [.report, .known, .known, .report])
  }

  @Test func `F164 of a crowd only so many are reported in an hour, and others are counted once an hour`() {
    var boards = DiscoveredBoards()
    let crowd = (0..<1_000).map { boards.notice(.number($0), at: .seconds(1)) }
    #expect(crowd.count { $0 == .report } == DiscoveredBoards.perHour)
    #expect(crowd.count { $0 == .leaveOut } == 1_000 - DiscoveredBoards.perHour)
    let again = (0..<1_000).map { boards.notice(.number($0), at: .seconds(3_600)) }
    #expect(again.allSatisfy { $0 == .known })
    let hour = (0..<1_000).map { boards.notice(.number($0), at: .seconds(3_601)) }
    #expect(hour.count { $0 == .known } == DiscoveredBoards.perHour)
    #expect(hour.count { $0 == .report } == DiscoveredBoards.perHour)
  }

  @Test func `F164 a crowd of changing addresses cannot fill the memory, nor have a board reported twice`() {
    var boards = DiscoveredBoards()
    let first = boards.notice(.number(0), at: .zero)
    var reports = 0
    for number in 1...3 * DiscoveredBoards.limit
    where boards.notice(.number(number), at: .seconds(1)) == .report {
      reports += 1
    }
    #expect(first == .report && reports == DiscoveredBoards.perHour - 1)
    #expect(boards.count <= DiscoveredBoards.limit)
    let again = boards.notice(.number(0), at: .seconds(7_200))
    #expect(again == .known)
  }
}
