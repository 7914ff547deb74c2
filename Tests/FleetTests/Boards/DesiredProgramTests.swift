import FleetModel
import Testing

@testable import Fleet

/// MQTT contract 1.5: what verbs made is laid over the profile.
@Suite struct ProgramOverlayTests {
  private static let timer = ProgramKey(.timer, "minute")

  private static func profile() throws -> ProgramDeclarations {
    var profile = ProgramDeclarations()
    try profile.declare(timer, ["period_ms": 60_000])
    return profile
  }

  private static func creation(_ name: String, _ period: Int64) throws -> ProgramCommand {
    .createTimer(
      name, BoardProgram.Timer(periodMilliseconds: UInt32(clamping: period)),
      declared: ["period_ms": .integer(period), "repetitions": 0, "immediate": false, "start": true])
  }

  @Test func `without verbs the profile counts`() throws {
    #expect(ProgramOverlay().isEmpty)
    #expect(ProgramOverlay().declarations(over: try Self.profile()) == (try Self.profile()))
  }

  @Test func `what verbs make is added`() throws {
    let profile = try Self.profile()
    var overlay = ProgramOverlay()
    overlay.note(try Self.creation("second", 1_000), profile: profile)
    #expect(overlay.declarations(over: profile).program.timers.keys.sorted() == ["minute", "second"])
    #expect(ProgramOverlay(document: overlay.document) == overlay)
    overlay.note(.removeTimer(.name("second")), profile: profile)
    #expect(overlay.isEmpty)
  }

  @Test func `what the profile wants and a verb removed stays away, until a verb makes it again`() throws {
    let profile = try Self.profile()
    var overlay = ProgramOverlay()
    overlay.note(.removeTimer(.name("minute")), profile: profile)
    #expect(overlay.declarations(over: profile).isEmpty && !overlay.isEmpty)
    #expect(ProgramOverlay(document: overlay.document) == overlay)
    overlay.note(try Self.creation("minute", 60_000), profile: profile)
    #expect(overlay.isEmpty)
  }

  @Test func `a stopped timer of the profile stays stopped`() throws {
    let profile = try Self.profile()
    var overlay = ProgramOverlay()
    overlay.note(.stopTimer("minute"), profile: profile)
    #expect(overlay.declarations(over: profile).program.timers["minute"]?.isStarted == false)
    overlay.note(.startTimer("minute"), profile: profile)
    #expect(overlay.isEmpty)
  }
}
