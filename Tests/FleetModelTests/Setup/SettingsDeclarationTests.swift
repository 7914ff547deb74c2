import FleetModel
import Testing

/// MQTT contract 3.9, 7.4.
@Suite struct SettingsDeclarationTests {
  @Test func `keys are checked and completed one by one`() throws {
    var declaration = SettingsDeclaration()
    try declaration.declare("tx_dbm", 4)
    try declaration.declare("connection", ["min_ms": 30, "max_ms": 50, "supervision_ms": 6000])
    #expect(
      declaration.keys == [
        "tx_dbm": 4,
        "connection": ["min_ms": 30, "max_ms": 50, "latency": 0, "supervision_ms": 6000],
      ])
    #expect(declaration.settings("tx_dbm").transmissionPower == 4)
    #expect(declaration.settings("tx_dbm").connection == nil)
    #expect(declaration.settings("name") == BoardSettings())
    #expect(
      declaration.settings.transmissionPower == 4 && declaration.settings.connection?.supervision == 6000)
    #expect(SettingsDeclaration(document: declaration.keys) == declaration)
  }

  @Test(
    arguments: [
      ("tx_dbm", 5, "write 4"), ("name", "Pümpe", "A-Z"), ("persist", true, "persist"),
      ("confirm", "x", "confirm"),
      ("connection", ["min_ms": 50, "max_ms": 30, "supervision_ms": 6000], "min_ms"),
    ] as [(String, JSONValue, String)])
  func `what the verb refuses is refused`(key: String, value: JSONValue, words: String) {
    var declaration = SettingsDeclaration()
    let failure = #expect(throws: CommandFailure.self) { try declaration.declare(key, value) }
    #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    #expect(declaration.isEmpty)
  }

  @Test func `not to begin is nothing to want`() throws {
    var declaration = SettingsDeclaration()
    try declaration.declare("start_advertising", false)
    #expect(declaration.isEmpty)
    try declaration.declare("start_advertising", true)
    #expect(declaration.settings.startsAdvertising)
  }

  @Test func `own keys are laid over others`() throws {
    var below = SettingsDeclaration()
    try below.declare("tx_dbm", 0)
    try below.declare("name", "Pump")
    var above = SettingsDeclaration()
    try above.declare("tx_dbm", 4)
    #expect(above.laid(over: below).keys == ["tx_dbm": 4, "name": "Pump"])
    // What can no longer be declared is dropped.
    #expect(SettingsDeclaration(document: ["tx_dbm": 4, "colour": "red"]) == above)
  }
}
