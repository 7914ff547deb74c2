import FleetModel
import Testing

@Suite struct VerbCatalogueTests {
  @Test func `these are the verbs of boards and gateways`() {
    #expect(
      VerbCatalogue.names(for: .board) == [
        "batch", "bootloader", "disconnect", "event-bind", "event-remove", "explain", "factory-reset",
        "firmware-abort",
        "firmware-check", "firmware-update", "gpio", "haptic", "i2c-read",
        "i2c-write", "ibeacon",
        "identify", "led", "log-clear", "log-download", "log-start", "log-status", "log-stop", "macro-erase",
        "macro-list", "macro-record", "macro-run", "maintenance", "processor-create",
        "processor-list", "processor-remove", "processor-set", "profile", "raw", "read", "reset", "sensor",
        "settings", "sleep", "spi-read",
        "spi-write", "stream-start", "stream-stop", "timer-create", "timer-remove", "timer-start",
        "timer-stop",
      ])
    #expect(
      VerbCatalogue.names(for: .gateway) == [
        "adapter-reset", "admission", "admit", "alarm-acknowledge", "cancel", "diagnostics", "drain",
        "forget", "reload", "replay", "rollout-abort", "rollout-list", "rollout-pause", "rollout-resume",
        "scan", "sessions-delete",
      ])
  }

  @Test func `groups take the verbs of boards, and one of their own that no board takes`() {
    let own = Set(VerbCatalogue.names(for: .group)).subtracting(VerbCatalogue.names(for: .board))
    #expect(own == ["firmware-rollout"])
    #expect(VerbCatalogue.find("led", for: .group)?.addressee == .board)
    #expect(VerbCatalogue.find("firmware-rollout", for: .board) == nil)
    #expect(VerbCatalogue.find("firmware-rollout", for: .gateway) == nil)
  }

  @Test func `a verb is found by name and addressee`() {
    #expect(VerbCatalogue.find("led", for: .board)?.name == "led")
    #expect(VerbCatalogue.find("led", for: .gateway) == nil)
    #expect(VerbCatalogue.find("admit", for: .board) == nil)
    #expect(VerbCatalogue.find("LED", for: .board) == nil)
  }

  @Test func `every verb explains itself`() {
    for verb in VerbCatalogue.all {
      #expect(verb.summary.hasSuffix("."))
      #expect(verb.parameters.allSatisfy { !$0.summary.isEmpty })
      #expect(Set(verb.parameters.map(\.name)).count == verb.parameters.count)
    }
  }

  /// MQTT contract 0: bare text counts as `{}` where the verb has no required argument.
  @Test(arguments: ["identify", "haptic", "ibeacon", "reset", "disconnect"])
  func `these need no arguments`(verb: String) throws {
    let definition = try #require(VerbCatalogue.find(verb, for: .board))
    #expect(definition.parameters.allSatisfy { !$0.isRequired })
    #expect(throws: Never.self) { try definition.interpret([:]) }
  }

  @Test(arguments: ["led", "read", "stream-start", "stream-stop"])
  func `these do`(verb: String) throws {
    let definition = try #require(VerbCatalogue.find(verb, for: .board))
    #expect(throws: CommandFailure.self) { try definition.interpret([:]) }
  }
}
