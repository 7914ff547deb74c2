import FleetModel
import Testing

@testable import Fleet

/// MQTT contract 1.5: what a board holds of what is wanted.
@Suite struct ReportedSetupTests {
  private static let power = SetupKey(.settings, "tx_dbm")
  private static let advertising = SetupKey(.settings, "advertising")
  private static let minute = SetupKey(.timers, "minute")

  private static func setup(_ entries: [SetupKey: JSONValue]) -> SetupDeclaration {
    var setup = SetupDeclaration()
    for (key, value) in entries { setup[key] = value }
    return setup
  }

  private static let wanted = setup([power: 4, advertising: ["interval_ms": 417], minute: ["period_ms": 1]])

  private static func applied() -> ReportedSetup {
    var state = ReportedSetup()
    state.take(
      [.settings], wanted: wanted, effective: setup([power: 4, advertising: ["interval_ms": 416.875]]))
    state.take([.timers], wanted: wanted, effective: wanted)
    return state
  }

  @Test func `nothing is held at first`() {
    let state = ReportedSetup()
    #expect(
      state.differences(from: Self.wanted) == [
        "settings/advertising missing", "settings/tx_dbm missing", "timers/minute missing",
      ])
    #expect(state.reported == SetupDeclaration() && state.differences(from: SetupDeclaration()) == [])
  }

  @Test func `F104 what could not be read back is not in sync, until it is`() throws {
    var state = Self.applied()
    state.take([.timers], wanted: Self.wanted, effective: Self.wanted, unverified: [Self.minute])
    #expect(state.differences(from: Self.wanted) == ["timers/minute unverified"])
    #expect(!state.hasPendingChanges(Self.wanted))
    let again = ReportedSetup(document: state.document)
    #expect(again.differences(from: Self.wanted) == ["timers/minute unverified"])
    state.take([.timers], wanted: Self.wanted, effective: Self.wanted)
    #expect(state.differences(from: Self.wanted) == [])
  }

  @Test func `F107 a stream is in sync when its first sample came; one that brings none is told`() throws {
    let stream = SetupKey(.stream, "acceleration")
    let wanted = Self.setup([stream: ["rate_hz": 50]])
    var state = ReportedSetup()
    state.take([.stream], wanted: wanted, effective: wanted)
    state.take(StreamVerification(awaited: ["acceleration", "steps"]))
    #expect(state.differences(from: wanted) == ["stream/acceleration awaited"] && state.error == nil)
    state.take(
      StreamVerification(
        awaited: ["acceleration"], failures: ["acceleration": CommandFailure(.boardError, "mute")]))
    #expect(state.differences(from: wanted) == ["stream/acceleration silent"])
    #expect(state.error == StatedReason(.setupBoardError, "stream/acceleration: mute"))
    #expect(!state.hasPendingChanges(wanted))
    #expect(ReportedSetup(document: state.document).differences(from: wanted) == [])
    state.take(StreamVerification())
    #expect(state.differences(from: wanted) == [] && state.error == nil)
  }

  @Test func `F106 a board that has its loggers and does not log is not in sync, and says why`() throws {
    let log = SetupKey(.log, "acceleration")
    let wanted = Self.setup([log: ["rate_hz": 50]])
    var state = ReportedSetup()
    state.take([.log], wanted: wanted, effective: wanted)
    state.logStarted(CommandFailure(.boardError, "it does not log"))
    #expect(state.differences(from: wanted) == ["log/acceleration off"])
    #expect(state.error == StatedReason(.setupBoardError, "log/acceleration: it does not log"))
    state.logStarted(nil)
    #expect(state.differences(from: wanted) == [] && state.error == nil)
  }

  @Test func `what the board rounds is as wanted all the same`() {
    let state = Self.applied()
    #expect(state.differences(from: Self.wanted) == [])
    #expect(state.reported[Self.advertising] == ["interval_ms": 416.875])
    #expect(state.met == Self.wanted)
    #expect(state.holds(Self.advertising, as: Self.wanted))
  }

  @Test func `what is left to us or not told is as wanted`() {
    var state = ReportedSetup()
    let stream = SetupKey(.stream, "acceleration")
    state.take(
      [.stream], wanted: Self.setup([stream: ["packed": "auto", "rate_hz": 50, "every": "1s"]]),
      effective: Self.setup([stream: ["packed": "on", "rate_hz": 49.5]]))
    #expect(state.reported[stream] == ["packed": "auto", "rate_hz": 49.5, "every": "1s"])
  }

  @Test func `other desired values are differences`() {
    let other = Self.setup([Self.power: 0, Self.advertising: ["interval_ms": 417]])
    // A setting that is no longer wanted stays until the board's reset: nothing that could be put right.
    #expect(
      Self.applied().differences(from: other) == ["settings/tx_dbm different", "timers/minute surplus"])
    #expect(Self.applied().differences(from: Self.setup([Self.minute: ["period_ms": 1]])) == [])
  }

  @Test func `what is refused is not held`() {
    var state = Self.applied()
    state.take(
      [.settings], wanted: Self.wanted, effective: Self.wanted,
      refused: [Self.power: CommandFailure(.unsupported, "not this one")])
    #expect(state.differences(from: Self.wanted) == ["settings/tx_dbm missing"])
    #expect(state.error == StatedReason(.setupUnsupported, "settings/tx_dbm: not this one"))
    #expect(state.reported[Self.power] == nil)
    // Other sections keep what they are.
    state.take([.timers], wanted: SetupDeclaration(), effective: SetupDeclaration())
    #expect(state.error != nil)
    state.take([.settings], wanted: Self.wanted, effective: Self.wanted)
    #expect(state.error == nil)
  }

  @Test func `another wording is no news`() {
    func refusing(_ code: CommandFailure.Code, _ message: String) -> ReportedSetup {
      var state = Self.applied()
      state.take(
        [.settings], wanted: Self.wanted, effective: Self.wanted,
        refused: [Self.power: CommandFailure(code, message)])
      return state
    }
    let before = refusing(.unsupported, "not this one")
    #expect(!refusing(.unsupported, "it has none").isRefusedOtherwise(than: before))
    #expect(refusing(.boardError, "not this one").isRefusedOtherwise(than: before))
    #expect(before.isRefusedOtherwise(than: Self.applied()))
    #expect(!before.isRefusedOtherwise(than: ReportedSetup(document: before.document)), "as before a restart")
  }

  @Test func `another desired value that is refused is published`() {
    var (state, before) = (Self.applied(), Self.applied())
    let refused = [Self.power: CommandFailure(.invalid, "no such power")]
    before.take([.settings], wanted: Self.setup([Self.power: 5]), effective: .init(), refused: refused)
    state.take([.settings], wanted: Self.setup([Self.power: 6]), effective: .init(), refused: refused)
    #expect(state.isRefusedOtherwise(than: before))
  }

  @Test func `what earlier versions kept is still refused`() {
    let state = ReportedSetup(document: ["refused": ["settings/tx_dbm": "not this one"]])
    #expect(state.error == StatedReason(.setupRefused, "settings/tx_dbm: not this one"))
  }

  @Test func `a reset leaves nothing`() {
    var state = Self.applied()
    state.boardReset()
    #expect(state.reported == SetupDeclaration())
    #expect(state.changes(since: Self.applied()).count == 3)
  }

  @Test func `changes are told in words`() {
    var state = Self.applied()
    let before = state
    state.take(
      [.settings], wanted: Self.setup([Self.power: 0]), effective: Self.setup([Self.power: 0]))
    #expect(state.changes(since: before) == ["settings/advertising removed", "settings/tx_dbm changed"])
    #expect(before.changes(since: before) == [])
    #expect(before.changes(since: ReportedSetup()).count == 3)
  }

  @Test func `what a sturdier link overrules is a difference but no change`() {
    var state = Self.applied()
    let before = state
    state.take(
      [.settings], wanted: Self.wanted, effective: Self.setup([Self.power: 4]), exempt: [Self.advertising])
    #expect(
      state.differences(from: Self.wanted) == ["settings/advertising overridden for a more robust connection"]
    )
    #expect(state.changes(since: before) == [])
  }

  @Test func `F105 what runs for us is known: streams, what is logged, and what chains on the board take`() {
    var program = BoardProgram()
    program.chains["calm"] = Chain(from: "acceleration", [ChainStep("rms")])
    var state = ReportedSetup()
    let setup = Self.setup([
      SetupKey(.stream, "pressure"): [:], SetupKey(.log, "illuminance"): ["gain": 1], Self.minute: [:],
    ])
    state.take([.stream, .log, .timers], wanted: setup, effective: setup)
    #expect(state.sensors(of: program).map(\.name) == ["illuminance", "pressure"])
    #expect(state.sensors(of: program).map(\.consumer) == [.log, nil])
    let chained = Self.setup([SetupKey(.process, "calm"): [:]])
    state.take([.process], wanted: chained, effective: chained)
    #expect(state.sensors(of: program).map(\.name) == ["illuminance", "pressure", "acceleration"])
    state.boardReset()
    #expect(state.sensors(of: program).map(\.name) == [])
  }

  @Test func `F105 a sensor that was begun and did not do what it was told is ours all the same`() {
    let log = SetupKey(.log, "acceleration")
    let stream = SetupKey(.stream, "humidity")
    let wanted = Self.setup([log: ["rate_hz": 50], stream: [:]])
    var state = ReportedSetup()
    state.take(
      [.log, .stream], wanted: wanted, effective: SetupDeclaration(),
      refused: [log: CommandFailure(.boardError, "off"), stream: CommandFailure(.unsupported, "none")])
    #expect(state.sensors(of: BoardProgram()).map(\.name) == ["acceleration"])
    #expect(state.sensors(of: BoardProgram()).map(\.consumer) == [.log])
  }

  @Test func `comes back from the disk`() {
    var state = Self.applied()
    state.take(
      [.stream], wanted: SetupDeclaration(), effective: SetupDeclaration(),
      refused: [SetupKey(.stream, "humidity"): CommandFailure(.unsupported, "none")])
    #expect(ReportedSetup(document: state.document) == state)
    #expect(
      ReportedSetup(document: ["wanted": ["lamp/x": 1, "settings/tx_dbm": 4]]).reported.keys == [Self.power])
  }
}
