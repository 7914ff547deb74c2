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
    roster.admit(Admission(board: .number(2), profile: "idle"), origin: .open, at: .at(0))
    let plan = roster.reconcile(with: Self.file(listing: 1))
    #expect(plan.start.map(\.board) == [.number(1), .number(2)])
    #expect(roster.isListed(.number(1)) && !roster.isListed(.number(2)) && roster.isAdmitted(.number(2)))
    let again = roster.reconcile(with: Self.file(listing: 1))
    roster.dismiss(.number(2))
    let without = roster.reconcile(with: Self.file(listing: 1))
    #expect(again.isEmpty && without.retire == [.number(2)])
  }

  @Test func `F188 who goes by a file is asked before it is obeyed; run-time admissions do not count`() {
    var roster = FleetRoster()
    roster.admit(Admission(board: .number(9), profile: "idle"), origin: .command, at: .at(0))
    _ = roster.reconcile(with: Self.file(listing: 1, 2))
    #expect(roster.removal(by: Self.file(listing: 1)).boards == [.number(2)])
    #expect(!roster.removal(by: Self.file(listing: 1)).needsConfirmation)
    let empty = roster.removal(by: Self.file())
    #expect(empty.boards == [.number(1), .number(2)] && empty.count == 2 && empty.needsConfirmation)
  }

  @Test func `F189 whom a start does not find in the file waits for a confirmation, or comes back`() {
    var roster = FleetRoster()
    let known: Set<BoardID> = [.number(1), .number(2)]
    let atStart = roster.begin(with: Self.file(), known: known)
    #expect(atStart.needsConfirmation)
    _ = roster.reconcile(with: Self.file())
    #expect(roster.unconfirmed == known && roster.desired.isEmpty)
    #expect(roster.removal(by: Self.file()).needsConfirmation, "asked again until it is answered")
    _ = roster.reconcile(with: Self.file(listing: 1))
    #expect(roster.unconfirmed == [.number(2)])
    let gone = roster.letGo()
    #expect(gone == [.number(2)] && roster.unconfirmed == [])
  }

  @Test func `F189 a few that are gone while others are there go at a start, as at a reload`() {
    var roster = FleetRoster()
    roster.admit(Admission(board: .number(9), profile: "idle"), origin: .command, at: .at(0))
    let removal = roster.begin(with: Self.file(listing: 1), known: [.number(1), .number(2), .number(9)])
    #expect(removal.boards == [.number(2)] && !removal.needsConfirmation && roster.unconfirmed == [])
  }

  @Test func `a name belongs to one board`() {
    var roster = FleetRoster()
    roster.admit(Admission(board: .number(2), name: "Pump"), origin: .command, at: .at(0))
    _ = roster.reconcile(with: Self.file(listing: 1))
    #expect(roster.owner(of: "Pump", besides: .number(1)) == .number(2))
    #expect(roster.owner(of: "Pump", besides: .number(2)) == nil)
    #expect(roster.owner(of: "Fan", besides: .number(1)) == nil)
  }

  @Test func `who admitted a board first counts, and a command more than that it joined`() {
    var roster = FleetRoster()
    roster.admit(Admission(board: .number(2), profile: nil), origin: .open, at: .at(0))
    roster.admit(roster.merged(Admission(board: .number(2), profile: "idle")), origin: .window, at: .at(1))
    _ = roster.reconcile(with: Self.file())
    #expect(roster.desired[.number(2)]?.origin == .open && roster.joined == 1)
    #expect(roster.desired[.number(2)]?.profileName == "idle")
    for origin in [DesiredBoard.Origin.command, .open] {
      roster.admit(roster.merged(Admission(board: .number(2))), origin: origin, at: .at(2))
      _ = roster.reconcile(with: Self.file())
      #expect(roster.desired[.number(2)]?.origin == .command && roster.joined == 0)
    }
  }

  @Test func `boards of the file and of commands did not join, and none of the file is admitted at run time`()
  {
    var roster = FleetRoster()
    for (board, origin) in Self.origins {
      roster.admit(Admission(board: .number(board)), origin: origin, at: .at(0))
    }
    _ = roster.reconcile(with: Self.file(listing: 1))
    #expect(roster.joined == 1 && roster.admittedAtRunTime == [.number(2), .number(3)])
    roster.dismiss(.number(2))
    _ = roster.reconcile(with: Self.file(listing: 1))
    #expect(roster.joined == 0 && roster.admittedAtRunTime == [.number(3)])
  }

  private static let hour = Duration.seconds(3_600)
  private static let origins: [(Int, DesiredBoard.Origin)] = [(1, .open), (2, .window), (3, .command)]

  @Test func `F164 only what joined expires, and what the gateway had an hour to connect`() {
    var roster = FleetRoster()
    for (board, origin) in Self.origins {
      roster.admit(Admission(board: .number(board)), origin: origin, at: .at(0))
    }
    _ = roster.reconcile(with: Self.file())
    let day = Timestamp.at(86_400_000)
    let expired = roster.expired(after: .seconds(86_400), at: day, running: Self.hour)
    #expect(expired == [.number(1), .number(2)])
    let early = roster.expired(after: .seconds(86_401), at: day, running: Self.hour)
    let justStarted = roster.expired(after: .seconds(60), at: day, running: .seconds(59))
    let hardlyRuns = roster.expired(after: .seconds(86_400), at: day, running: Self.hour - .seconds(1))
    #expect(early.isEmpty && justStarted.isEmpty && hardlyRuns.isEmpty)
  }

  @Test func `F164 what joined before the clock was set has the whole time of this run`() {
    var roster = FleetRoster()
    roster.admit(Admission(board: .number(1)), origin: .open, at: Timestamp(milliseconds: 5))
    let now = Timestamp.at(0)
    let before = roster.expired(after: Self.hour * 2, at: now, running: Self.hour)
    let after = roster.expired(after: Self.hour * 2, at: now, running: Self.hour * 2)
    let unset = roster.expired(after: Self.hour, at: Timestamp(milliseconds: 9), running: Self.hour * 2)
    #expect(before.isEmpty && after == [.number(1)] && unset.isEmpty)
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
