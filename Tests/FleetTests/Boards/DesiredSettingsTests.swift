import FleetModel
import Testing

@testable import Fleet

/// MQTT contract 1.5, 3.9: what verbs set is laid over the profile, and ends with what the board forgets.
@Suite struct SettingsOverlayTests {
  private static func declaration(_ keys: JSONObject) throws -> SettingsDeclaration {
    var declaration = SettingsDeclaration()
    for (key, value) in keys.members { try declaration.declare(key, value) }
    return declaration
  }

  private static func command(_ keys: JSONObject, persist: Bool = false) throws -> SettingsCommand {
    let declared = try declaration(keys)
    return SettingsCommand(declared.settings, declared: declared, isPersistent: persist)
  }

  @Test func `without verbs the profile counts`() throws {
    let profile = try Self.declaration(["tx_dbm": 0])
    #expect(SettingsOverlay().isEmpty && SettingsOverlay().settings(over: profile) == profile)
  }

  @Test func `what is not kept ends with the boards reset`() throws {
    let profile = try Self.declaration(["tx_dbm": 0, "name": "Pump"])
    var overlay = SettingsOverlay()
    overlay.note(try Self.command(["tx_dbm": 4]), profile: profile)
    #expect(overlay.settings(over: profile).keys == ["tx_dbm": 4, "name": "Pump"])
    #expect(overlay.keys == ["tx_dbm"])
    #expect(SettingsOverlay(document: overlay.document) == overlay)
    overlay.boardReset()
    #expect(overlay.isEmpty)
  }

  @Test func `what the board keeps outlives its reset`() throws {
    let profile = try Self.declaration(["tx_dbm": 0])
    var overlay = SettingsOverlay()
    overlay.note(try Self.command(["tx_dbm": 4]), profile: profile)
    overlay.note(try Self.command(["tx_dbm": -4], persist: true), profile: profile)
    #expect(overlay.settings(over: profile).keys == ["tx_dbm": -4])
    #expect(SettingsOverlay(document: overlay.document) == overlay)
    overlay.boardReset()
    #expect(overlay.settings(over: profile).keys == ["tx_dbm": -4])
    // Until its macros are gone: then it passes with the next reset.
    overlay.macrosErased()
    #expect(overlay.settings(over: profile).keys == ["tx_dbm": -4])
    overlay.boardReset()
    #expect(overlay.isEmpty)
  }

  @Test func `the opposite ends it`() throws {
    let profile = try Self.declaration(["tx_dbm": 0])
    var overlay = SettingsOverlay()
    overlay.note(try Self.command(["tx_dbm": 4]), profile: profile)
    overlay.note(try Self.command(["tx_dbm": 0]), profile: profile)
    #expect(overlay.isEmpty)
  }

  @Test func `what is done once is no state`() throws {
    var overlay = SettingsOverlay()
    overlay.note(try Self.command(["start_advertising": true]), profile: SettingsDeclaration())
    #expect(overlay.isEmpty)
  }
}
