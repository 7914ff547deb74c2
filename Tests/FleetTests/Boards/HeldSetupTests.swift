import FleetModel
import Testing

@testable import Fleet

/// MQTT contract 1.5: what a board holds of what is wanted.
@Suite struct HeldSetupTests {
  private static let power = SetupKey(.settings, "tx_dbm")
  private static let advertising = SetupKey(.settings, "advertising")
  private static let minute = SetupKey(.timers, "minute")

  private static func setup(_ entries: [SetupKey: JSONValue]) -> SetupDeclaration {
    var setup = SetupDeclaration()
    for (key, value) in entries { setup[key] = value }
    return setup
  }

  private static let wanted = setup([power: 4, advertising: ["interval_ms": 417], minute: ["period_ms": 1]])

  private static func settled() -> HeldSetup {
    var held = HeldSetup()
    held.take(
      [.settings], wanted: wanted, effective: setup([power: 4, advertising: ["interval_ms": 416.875]]))
    held.take([.timers], wanted: wanted, effective: wanted)
    return held
  }

  @Test func nothingIsHeldAtFirst() {
    let held = HeldSetup()
    #expect(
      held.differences(from: Self.wanted) == [
        "settings/advertising missing", "settings/tx_dbm missing", "timers/minute missing",
      ])
    #expect(held.reported == SetupDeclaration() && held.differences(from: SetupDeclaration()) == [])
  }

  @Test("F104 what could not be read back is not in sync, until it is") func unverified() throws {
    var held = Self.settled()
    held.take([.timers], wanted: Self.wanted, effective: Self.wanted, unverified: [Self.minute])
    #expect(held.differences(from: Self.wanted) == ["timers/minute unverified"])
    #expect(!held.owes(Self.wanted))
    let again = HeldSetup(document: held.document)
    #expect(again.differences(from: Self.wanted) == ["timers/minute unverified"])
    held.take([.timers], wanted: Self.wanted, effective: Self.wanted)
    #expect(held.differences(from: Self.wanted) == [])
  }

  @Test("F107 a stream is in sync when its first sample came; one that brings none is told")
  func awaited() throws {
    let stream = SetupKey(.stream, "acceleration")
    let wanted = Self.setup([stream: ["rate_hz": 50]])
    var held = HeldSetup()
    held.take([.stream], wanted: wanted, effective: wanted)
    held.take(SampleStanding(awaited: ["acceleration", "steps"]))
    #expect(held.differences(from: wanted) == ["stream/acceleration awaited"] && held.error == nil)
    held.take(
      SampleStanding(
        awaited: ["acceleration"], failures: ["acceleration": CommandFailure(.boardError, "mute")]))
    #expect(held.differences(from: wanted) == ["stream/acceleration silent"])
    #expect(held.error == StatedReason(.setupBoardError, "stream/acceleration: mute"))
    #expect(!held.owes(wanted))
    #expect(HeldSetup(document: held.document).differences(from: wanted) == [])
    held.take(SampleStanding())
    #expect(held.differences(from: wanted) == [] && held.error == nil)
  }

  @Test("F106 a board that has its loggers and does not log is not in sync, and says why")
  func logIsOff() throws {
    let log = SetupKey(.log, "acceleration")
    let wanted = Self.setup([log: ["rate_hz": 50]])
    var held = HeldSetup()
    held.take([.log], wanted: wanted, effective: wanted)
    held.logStarted(CommandFailure(.boardError, "it does not log"))
    #expect(held.differences(from: wanted) == ["log/acceleration off"])
    #expect(held.error == StatedReason(.setupBoardError, "log/acceleration: it does not log"))
    held.logStarted(nil)
    #expect(held.differences(from: wanted) == [] && held.error == nil)
  }

  @Test func whatTheBoardRoundsIsAsWantedAllTheSame() {
    let held = Self.settled()
    #expect(held.differences(from: Self.wanted) == [])
    #expect(held.reported[Self.advertising] == ["interval_ms": 416.875])
    #expect(held.met == Self.wanted)
    #expect(held.holds(Self.advertising, as: Self.wanted))
  }

  @Test func whatIsLeftToUsOrNotToldIsAsWanted() {
    var held = HeldSetup()
    let stream = SetupKey(.stream, "acceleration")
    held.take(
      [.stream], wanted: Self.setup([stream: ["packed": "auto", "rate_hz": 50, "every": "1s"]]),
      effective: Self.setup([stream: ["packed": "on", "rate_hz": 49.5]]))
    #expect(held.reported[stream] == ["packed": "auto", "rate_hz": 49.5, "every": "1s"])
  }

  @Test func otherWishesAreDifferences() {
    let other = Self.setup([Self.power: 0, Self.advertising: ["interval_ms": 417]])
    // A setting that is no longer wanted stays until the board's reset: nothing that could be put right.
    #expect(
      Self.settled().differences(from: other) == ["settings/tx_dbm different", "timers/minute surplus"])
    #expect(Self.settled().differences(from: Self.setup([Self.minute: ["period_ms": 1]])) == [])
  }

  @Test func whatIsRefusedIsNotHeld() {
    var held = Self.settled()
    held.take(
      [.settings], wanted: Self.wanted, effective: Self.wanted,
      refused: [Self.power: CommandFailure(.unsupported, "not this one")])
    #expect(held.differences(from: Self.wanted) == ["settings/tx_dbm missing"])
    #expect(held.error == StatedReason(.setupUnsupported, "settings/tx_dbm: not this one"))
    #expect(held.reported[Self.power] == nil)
    // Other sections keep what they are.
    held.take([.timers], wanted: SetupDeclaration(), effective: SetupDeclaration())
    #expect(held.error != nil)
    held.take([.settings], wanted: Self.wanted, effective: Self.wanted)
    #expect(held.error == nil)
  }

  @Test func anotherWordingIsNoNews() {
    func refusing(_ code: CommandFailure.Code, _ message: String) -> HeldSetup {
      var held = Self.settled()
      held.take(
        [.settings], wanted: Self.wanted, effective: Self.wanted,
        refused: [Self.power: CommandFailure(code, message)])
      return held
    }
    let before = refusing(.unsupported, "not this one")
    #expect(!refusing(.unsupported, "it has none").isRefusedOtherwise(than: before))
    #expect(refusing(.boardError, "not this one").isRefusedOtherwise(than: before))
    #expect(before.isRefusedOtherwise(than: Self.settled()))
    #expect(!before.isRefusedOtherwise(than: HeldSetup(document: before.document)), "as before a restart")
  }

  @Test func anotherWishThatIsRefusedIsNews() {
    var (held, before) = (Self.settled(), Self.settled())
    let refused = [Self.power: CommandFailure(.invalid, "no such power")]
    before.take([.settings], wanted: Self.setup([Self.power: 5]), effective: .init(), refused: refused)
    held.take([.settings], wanted: Self.setup([Self.power: 6]), effective: .init(), refused: refused)
    #expect(held.isRefusedOtherwise(than: before))
  }

  @Test func whatEarlierVersionsKeptIsStillRefused() {
    let held = HeldSetup(document: ["refused": ["settings/tx_dbm": "not this one"]])
    #expect(held.error == StatedReason(.setupRefused, "settings/tx_dbm: not this one"))
  }

  @Test func aResetLeavesNothing() {
    var held = Self.settled()
    held.boardReset()
    #expect(held.reported == SetupDeclaration())
    #expect(held.changes(since: Self.settled()).count == 3)
  }

  @Test func changesAreToldInWords() {
    var held = Self.settled()
    let before = held
    held.take(
      [.settings], wanted: Self.setup([Self.power: 0]), effective: Self.setup([Self.power: 0]))
    #expect(held.changes(since: before) == ["settings/advertising removed", "settings/tx_dbm changed"])
    #expect(before.changes(since: before) == [])
    #expect(before.changes(since: HeldSetup()).count == 3)
  }

  @Test func whatASturdierLinkOverrulesIsADifferenceButNoChange() {
    var held = Self.settled()
    let before = held
    held.take(
      [.settings], wanted: Self.wanted, effective: Self.setup([Self.power: 4]), spared: [Self.advertising])
    #expect(
      held.differences(from: Self.wanted) == ["settings/advertising relaxed for a sturdier link"])
    #expect(held.changes(since: before) == [])
  }

  @Test("F105 what runs for us is known: streams, what is logged, and what chains on the board take")
  func sensors() {
    var program = BoardProgram()
    program.chains["calm"] = Chain(from: "acceleration", [ChainStep("rms")])
    var held = HeldSetup()
    let setup = Self.setup([
      SetupKey(.stream, "pressure"): [:], SetupKey(.log, "illuminance"): ["gain": 1], Self.minute: [:],
    ])
    held.take([.stream, .log, .timers], wanted: setup, effective: setup)
    #expect(held.sensors(of: program).map(\.name) == ["illuminance", "pressure"])
    #expect(held.sensors(of: program).map(\.consumer) == [.log, nil])
    let chained = Self.setup([SetupKey(.process, "calm"): [:]])
    held.take([.process], wanted: chained, effective: chained)
    #expect(held.sensors(of: program).map(\.name) == ["illuminance", "pressure", "acceleration"])
    held.boardReset()
    #expect(held.sensors(of: program).map(\.name) == [])
  }

  @Test("F105 a sensor that was begun and did not do what it was told is ours all the same")
  func begunInVain() {
    let log = SetupKey(.log, "acceleration")
    let stream = SetupKey(.stream, "humidity")
    let wanted = Self.setup([log: ["rate_hz": 50], stream: [:]])
    var held = HeldSetup()
    held.take(
      [.log, .stream], wanted: wanted, effective: SetupDeclaration(),
      refused: [log: CommandFailure(.boardError, "off"), stream: CommandFailure(.unsupported, "none")])
    #expect(held.sensors(of: BoardProgram()).map(\.name) == ["acceleration"])
    #expect(held.sensors(of: BoardProgram()).map(\.consumer) == [.log])
  }

  @Test func comesBackFromTheDisk() {
    var held = Self.settled()
    held.take(
      [.stream], wanted: SetupDeclaration(), effective: SetupDeclaration(),
      refused: [SetupKey(.stream, "humidity"): CommandFailure(.unsupported, "none")])
    #expect(HeldSetup(document: held.document) == held)
    #expect(
      HeldSetup(document: ["wanted": ["lamp/x": 1, "settings/tx_dbm": 4]]).reported.keys == [Self.power])
  }
}
