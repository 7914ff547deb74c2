import FleetModel
import Testing

@testable import Fleet

/// MQTT contract 1.5: what verbs change, over all sections.
@Suite struct SetupOverlayTests {
  private static let profile: Profile = {
    var profile = Profile()
    profile.streams = ["acceleration": .acceleration(50)]
    profile.logs = ["temperature-die": .temperature]
    return profile
  }()

  private static func overlay(of commands: LinkIntent...) -> (SetupOverlay, parts: [Set<SetupPart>]) {
    var overlay = SetupOverlay()
    let parts = commands.map { overlay.note($0, over: profile, DesiredSetup(profile, overlay), at: .at(0)) }
    return (overlay, parts)
  }

  @Test func `a command changes its section, and says what else has to be told`() {
    let (overlay, parts) = Self.overlay(
      of: .streamStop("acceleration"), .log(.stop(nil)),
      .device(.pin(PinCommand(pin: 2, pull: .up, change: .any))))
    #expect(parts == [[], [.logs], []])
    #expect(
      overlay.keys(overLogs: Self.profile.logs)
        == [SetupKey(.stream, "acceleration"), SetupKey(.log, "temperature-die")])
    #expect(overlay.pins.commands.map(\.pin) == [2])
  }

  @Test func `a stream that was started for a time ends with it`() {
    var (overlay, _) = Self.overlay(
      of: .streamStart(.acceleration(100), adjusted: [], duration: .seconds(60)))
    #expect(overlay.streams.nextExpiry == .at(60_000))
    let isOver = overlay.streams.expire(at: .at(60_000))
    #expect(isOver && overlay == SetupOverlay())
  }

  @Test func `a chosen profile ends what verbs changed of the last one, and leaves the pins`() {
    var (overlay, _) = Self.overlay(
      of: .streamStop("acceleration"), .device(.pin(PinCommand(pin: 2, pull: .up, change: .any))))
    overlay.profileChosen()
    #expect(overlay.keys(overLogs: [:]).isEmpty && overlay.pins.commands.map(\.pin) == [2])
  }

  @Test func `a factory reset ends what was made on the board, and no stream of ours`() {
    var (overlay, _) = Self.overlay(
      of: .streamStop("acceleration"), .log(.stop(nil)),
      .device(.pin(PinCommand(pin: 2, pull: .up, change: .any))))
    overlay.factoryReset()
    #expect(overlay.keys(overLogs: Self.profile.logs) == [SetupKey(.stream, "acceleration")])
    #expect(overlay.pins.isEmpty)
  }
}
