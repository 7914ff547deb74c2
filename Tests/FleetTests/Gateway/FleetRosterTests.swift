import FleetModel
import Storage
import Testing

@testable import Fleet

/// Who is wanted, and who said so.
@Suite struct FleetRosterTests {
  private static func file(listing boards: Int...) -> FleetConfiguration {
    var file = FleetConfiguration()
    file.profiles = ["vibration": Profile(), "idle": Profile()]
    file.boards = boards.map {
      var entry = BoardConfiguration(board: .number($0))
      entry.profile = "vibration"
      entry.groups = ["east"]
      return entry
    }
    return file
  }

  @Test func `listed and admitted boards are wanted; what is done with them is a plan`() {
    var roster = FleetRoster()
    roster.admit(Admission(board: .number(2), profile: "idle"), origin: .open)
    let plan = roster.reconcile(with: Self.file(listing: 1))
    #expect(plan.start.map(\.board) == [.number(1), .number(2)])
    #expect(roster.isListed(.number(1)) && !roster.isListed(.number(2)) && roster.isAdmitted(.number(2)))
    let again = roster.reconcile(with: Self.file(listing: 1))
    roster.dismiss(.number(2))
    let without = roster.reconcile(with: Self.file(listing: 1))
    #expect(again.isEmpty && without.retire == [.number(2)])
  }

  @Test func `a name belongs to one board`() {
    var roster = FleetRoster()
    roster.admit(Admission(board: .number(2), name: "Pump"), origin: .command)
    _ = roster.reconcile(with: Self.file(listing: 1))
    #expect(roster.owner(of: "Pump", besides: .number(1)) == .number(2))
    #expect(roster.owner(of: "Pump", besides: .number(2)) == nil)
    #expect(roster.owner(of: "Fan", besides: .number(1)) == nil)
  }

  @Test func `who admitted a board first counts`() {
    var roster = FleetRoster()
    roster.admit(Admission(board: .number(2), profile: nil), origin: .open)
    roster.admit(roster.merged(Admission(board: .number(2), profile: "idle")), origin: .command)
    _ = roster.reconcile(with: Self.file())
    #expect(roster.desired[.number(2)]?.origin == .open)
    #expect(roster.desired[.number(2)]?.profileName == "idle")
  }

  @Test func `a verb's choice of a profile comes back with what was kept of the board`() {
    var memory = BoardMemory(board: .number(1))
    memory.overlay =
      StoredSetup(choice: ProfileChoice(name: "idle", replaced: "vibration")).bytes
    var roster = FleetRoster([.number(1): memory], [])
    _ = roster.reconcile(with: Self.file(listing: 1))
    #expect(roster.desired[.number(1)]?.profileName == "idle")
    roster.choose(nil, for: .number(1))
    let back = roster.reconcile(with: Self.file(listing: 1))
    #expect(back.change.map(\.profileName) == ["vibration"])
  }

  @Test func `all boards are in one group without being told`() {
    var roster = FleetRoster()
    _ = roster.reconcile(with: Self.file(listing: 1, 2))
    #expect(roster.members(of: GroupRules.all).count == 2)
    #expect(roster.members(of: "east").keys.sorted() == [.number(1), .number(2)])
    #expect(roster.members(of: "west").isEmpty)
  }
}
