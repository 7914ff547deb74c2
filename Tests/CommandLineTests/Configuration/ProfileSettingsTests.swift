import FleetModel
import Testing

@testable import metafleet

@Suite struct ProfileSettingsTests {
  @Test func `settings are read by the rules of their verb, with defaults`() {
    let result = read(
      """
      profiles:
        heir: { extends: base, settings: { tx_dbm: -4 } }
        base:
          settings:
            name: 0815
            tx_dbm: 4
            advertising: { interval_ms: 417 }
            scan_response: 0201
            force_1m_phy: true
            whitelist: { mode: scan, addresses: ["E5:A1:C2:D3:F4:B6"] }
      """)
    #expect(result.problems == [])
    let base = result.configuration.profiles["base"]?.settings
    #expect(
      base?.keys == [
        "name": "0815", "tx_dbm": 4,
        "advertising": ["interval_ms": 417, "timeout_s": 0, "directed": false], "scan_response": "0201",
        "force_1m_phy": true, "whitelist": ["mode": "scan", "addresses": ["E5:A1:C2:D3:F4:B6"]],
      ])
    let heir = result.configuration.profiles["heir"]?.settings
    #expect(heir?.keys["tx_dbm"] == -4 && heir?.keys["name"] == "0815")
  }

  @Test(
    arguments: [
      ("tx_dbm: 5", "tx_dbm", "write 4"), ("tx_dbm: loud", "tx_dbm", "a number"),
      ("tx_dmb: 4", "tx_dmb", "did you mean tx_dbm?"), ("persist: true", "persist", "leave persist out"),
      ("name: Pümpe", "name", "A-Z"), ("regulator_3v: 1", "regulator_3v", "true or false"),
      ("advertising: { interval_ms: 5 }", "advertising", "20 to 10240"),
      ("advertising: {}", "advertising", "interval_ms"), ("scan_response: xyz", "scan_response", "hex"),
      ("connection: { min_ms: 30, max_ms: 30, latency: 4, supervision_ms: 300 }", "connection", "= 300"),
    ])
  func `what is wrong is an error where it stands`(_ text: String, _ key: String, _ words: String) {
    let result = read("profiles:\n  p:\n    settings:\n      \(text)\n")
    #expect(result.problems.map(\.path) == ["profiles.p.settings.\(key)"], "\(result.problems)")
    #expect(result.problems.first?.line == 4 && result.problems.first?.severity == .error)
    #expect(result.problems.first?.text.contains(words) == true, "\(result.problems)")
  }

  @Test(arguments: [("any", 0), ("scan", 0), ("connect", 1), ("both", 1)])
  func `what may lock everybody out is warned of`(_ mode: String, _ warnings: Int) {
    let result = read("profiles: { p: { settings: { whitelist: { mode: \(mode), addresses: [] } } } }")
    #expect(result.problems.map(\.severity) == Array(repeating: .warning, count: warnings))
    #expect(result.problems.allSatisfy { $0.path == "profiles.p.settings.whitelist" })
    #expect(result.configuration.profiles["p"]?.settings.isEmpty == false)
  }

  @Test func `every wrong key is named, and settings are a mapping`() {
    let result = read("profiles: { p: { settings: { tx_dbm: 5, name: \"\" } }, q: { settings: [4] } }")
    #expect(
      result.problems.map(\.path) == [
        "profiles.p.settings.tx_dbm", "profiles.p.settings.name", "profiles.q.settings",
      ])
  }
}
