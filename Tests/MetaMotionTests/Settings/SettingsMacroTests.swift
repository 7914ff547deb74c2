import FleetModel
import Testing

@testable import MetaMotion

@Suite struct SettingsMacroTests {
  @Test func `does at every start what was set but for beginning`() throws {
    var settings = BoardSettings()
    settings.transmissionPower = 4
    settings.startsAdvertising = true
    let macro = SettingsMacro(try SettingsPlan(settings, on: try TestBoard.metaMotionS.inventory()))
    #expect(macro.macro == Macro(isRunAtBoot: true, commands: [bytes("110304")]))
    settings.transmissionPower = nil
    #expect(SettingsMacro(try SettingsPlan(settings, on: try TestBoard.metaMotionS.inventory())).isEmpty)
  }

  @Test func `names count up`() {
    #expect(SettingsMacro.freeName(among: ["hello"]) == "settings")
    #expect(SettingsMacro.freeName(among: ["settings", "settings-2"]) == "settings-3")
    #expect(SettingsMacro.newest(among: ["settings": 1, "settings-2": 4, "settings-4": 5]) == 4)
    #expect(SettingsMacro.newest(among: ["hello": 1]) == nil)
  }
}
