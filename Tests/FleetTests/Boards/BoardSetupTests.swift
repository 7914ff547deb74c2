import BoardKit
import FleetModel
import Testing

@testable import Fleet

/// MQTT contract 1.5: what is wanted of a board, what it does of that, and what is told.
@Suite struct BoardSetupTests {
  private static let acceleration = StreamRequest.acceleration(50)

  private static func desired(_ change: (inout Profile) -> Void = { _ in }) -> DesiredBoard {
    var profile = Profile()
    profile.streams = ["acceleration": acceleration]
    change(&profile)
    return DesiredBoard(
      board: .number(1), origin: .file, profileName: "vibration", configuredProfile: "vibration",
      profile: profile, groups: [], labels: [:], isEnabled: true)
  }

  /// A setup of which a session brought about what it could.
  private static func ordersApplied(refused: [String: CommandFailure] = [:]) -> (BoardSetup, [BoardEffect]) {
    var setup = BoardSetup(desired())
    setup.take(
      streams: setup.desiredSetup.streams, running: refused.isEmpty ? [acceleration] : [],
      StreamVerification(),
      refused: refused)
    let effects = setup.ordersApplied(at: .at(0), uptime: .zero)
    return (setup, effects)
  }

  private static func types(_ effects: [BoardEffect]) -> [String] {
    effects.map {
      switch $0 {
      case .remember: "remember"
      case .publish(let draft): draft.type
      case .order(let parts): "order \(parts.count)"
      }
    }
  }

  @Test func `what was brought about is kept, told and in sync`() {
    var (setup, effects) = Self.ordersApplied()
    #expect(Self.types(effects) == ["remember", "applied"])
    let report = setup.dueReport(isLinked: true, at: .at(1), uptime: .zero)
    #expect(report?.isInSync == true && report?.applied == .at(0) && !setup.hasPendingChanges)
    let again = setup.ordersApplied(at: .at(2), uptime: .zero)
    #expect(again.isEmpty)
  }

  @Test func `what the board cannot have is told once, with its reason`() {
    var (setup, effects) = Self.ordersApplied(refused: ["acceleration": CommandFailure(.boardError, "no")])
    #expect(Self.types(effects) == ["remember", "failed"])
    #expect(setup.refusals?.sentence == "acceleration: no" && setup.firstRefusal?.message == "no")
    let report = setup.dueReport(isLinked: true, at: .at(1), uptime: .zero)
    #expect(report?.isInSync == false && report?.error != nil && !setup.hasPendingChanges)
  }

  @Test func `nothing is told while a command changes the setup, or before all was tried`() {
    var (setup, _) = Self.ordersApplied()
    setup.changeBegins()
    let during = setup.dueReport(isLinked: true, at: .at(1), uptime: .zero)
    setup.changeEnds()
    let after = setup.dueReport(isLinked: true, at: .at(1), uptime: .zero)
    #expect(during == nil && after != nil)
    setup.ordered()
    let untried = setup.dueReport(isLinked: true, at: .at(2), uptime: .zero)
    #expect(untried == nil)
  }

  @Test func `first samples are waited for, for a while`() {
    var (setup, _) = Self.ordersApplied()
    setup.take(StreamVerification(awaited: ["acceleration"]))
    #expect(setup.proofDue(isLinked: true, uptime: .zero) == StreamVerification.firstSampleTimeout)
    #expect(setup.proofDue(isLinked: true, uptime: StreamVerification.firstSampleTimeout) == nil)
    #expect(setup.proofDue(isLinked: false, uptime: .zero) == nil)
  }

  @Test func `a reset takes away what was told, and passing settings`() {
    var (setup, _) = Self.ordersApplied()
    let effects = setup.boardReset()
    #expect(
      Self.types(effects) == ["remember", "order 1"] && setup.hasPendingChanges && setup.appliedSince == nil)
  }

  @Test func `a command that was done is kept, and a chain's end is told to streams and logs`() {
    var (setup, _) = Self.ordersApplied()
    let stopped = setup.note(.streamStop("acceleration"), at: .at(0))
    #expect(stopped == [.remember] && setup.desiredSetup.streams.isEmpty)
    let unlogged = setup.note(.log(.stop(nil)), at: .at(0))
    #expect(unlogged == [.order([.logs]), .remember])
    let gone = setup.note(.device(.program(.removeChain(.name("peak")))), at: .at(0))
    #expect(gone == [.order([.streams, .logs]), .remember])
  }

  @Test func `the configuration ends the choice of a profile when it names another one`() {
    var (setup, _) = Self.ordersApplied()
    setup.choose(profile: "other")
    #expect(setup.choice == ProfileChoice(name: "other", replaced: "vibration"))
    var desired = Self.desired()
    desired.profileName = "other"
    let kept = setup.change(to: desired)
    desired.profileName = "third"
    let ended = setup.change(to: desired)
    #expect(!kept && ended && setup.choice == nil)
  }

  @Test func `while a factory reset is proved nothing is logged`() {
    var setup = BoardSetup(Self.desired { $0.logs = ["temperature-die": .temperature] })
    #expect(setup.desiredSetup.logs.count == 1)
    setup.isProvingFactoryReset = true
    #expect(setup.desiredSetup.logs.isEmpty)
  }

  @Test func `it comes back as it was kept`() {
    var (setup, _) = Self.ordersApplied()
    _ = setup.note(.streamStop("acceleration"), at: .at(0))
    let kept = setup.remembered(with: StoredLogState())
    let again = BoardSetup(Self.desired(), kept)
    #expect(again.remembered(with: StoredLogState()) == kept && again.desiredSetup.streams.isEmpty)
  }
}
