import FleetModel
import Testing

@testable import Fleet

@Suite struct DesiredFleetTests {
  private func file(_ change: (inout FleetConfiguration) -> Void = { _ in }) -> FleetConfiguration {
    var file = FleetConfiguration()
    file.gateway.site = "hq"
    var profile = Profile()
    profile.streams = ["acceleration": .acceleration(50)]
    file.profiles = ["vibration": profile]
    change(&file)
    return file
  }

  private func listed(_ number: Int, _ change: (inout BoardConfiguration) -> Void = { _ in })
    -> BoardConfiguration
  {
    var entry = BoardConfiguration(board: .number(number))
    change(&entry)
    return entry
  }

  @Test func `nobody is wanted by default`() {
    #expect(DesiredFleet.boards(file: file(), admitted: []).isEmpty)
  }

  @Test func `a listed board is as the file says`() throws {
    let entry = listed(1) {
      $0.name = "Pump 3"
      $0.site = "hall"
      $0.profile = "vibration"
      $0.groups = ["east"]
      $0.labels = ["room": "3"]
      $0.adapter = .number(1)
      $0.isEnabled = false
    }
    let board = try #require(
      DesiredFleet.boards(file: file { $0.boards = [entry] }, admitted: [])[.number(1)])
    #expect(
      board.origin == .file && board.name == "Pump 3" && board.site == "hall" && board.groups == ["east"])
    #expect(board.profileName == "vibration" && board.profile.streams == ["acceleration": .acceleration(50)])
    #expect(board.labels == ["room": "3"] && board.adapter == .number(1) && !board.isEnabled)
  }

  @Test func `MQTT contract 7.4: without a site it is the gateway's, without a profile battery and button`()
    throws
  {
    let boards = DesiredFleet.boards(
      file: file { $0.boards = [listed(1)] }, admitted: [(Admission(board: .number(2)), .open)])
    for number in 1...2 {
      let board = try #require(boards[.number(number)])
      #expect(board.site == "hq" && board.name == nil && board.profileName == nil && board.isEnabled)
      #expect(
        board.profile == Profile() && board.profile.button && board.groups == [] && board.adapter == nil)
    }
    #expect(boards[.number(2)]?.origin == .open)
  }

  @Test func `an admitted board is as was said`() throws {
    let admission = Admission(
      board: .number(2), name: "Fan", site: "roof", profile: "vibration", groups: ["west"],
      labels: ["a": "b"],
      isEnabled: false)
    let board = try #require(DesiredFleet.boards(file: file(), admitted: [(admission, .command)])[.number(2)])
    #expect(
      board.origin == .command && board.name == "Fan" && board.site == "roof" && board.groups == ["west"])
    #expect(board.profile.streams == ["acceleration": .acceleration(50)])
    #expect(board.labels == ["a": "b"] && !board.isEnabled)
  }

  @Test func `the file wins over what was admitted`() throws {
    let boards = DesiredFleet.boards(
      file: file { $0.boards = [listed(1) { $0.name = "by file" }] },
      admitted: [(Admission(board: .number(1), name: "by command"), .command)])
    #expect(boards.count == 1)
    #expect(boards[.number(1)]?.name == "by file" && boards[.number(1)]?.origin == .file)
  }

  @Test func `a profile that is no more leaves the board looked after`() throws {
    let boards = DesiredFleet.boards(
      file: file(), admitted: [(Admission(board: .number(2), profile: "gone"), .command)])
    #expect(boards[.number(2)]?.profile == Profile() && boards[.number(2)]?.profileName == "gone")
  }
}
