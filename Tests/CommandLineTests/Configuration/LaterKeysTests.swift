import FleetModel
import Testing

@testable import metafleet

@Suite struct LaterKeysTests {
  @Test func `a file that uses the whole contract loads, with warnings`() {
    let result = read(
      """
      gateway: { id: floor-3-east, site: hq }
      storage: { directory: /var/lib/metafleet, retain: 30d, max_size: 2GB }
      lanes: { encodings: [json, lp] }
      bluetooth: { adapters: auto, max_links_per_adapter: auto, quiet_ok: true }
      profiles:
        vibration:
          log: { acceleration: { rate_hz: 100, range_g: 4 } }
          visit: { every: 1h, jitter: 10%, hours: ["08:00-18:00"] }
        climate:
          stream: { temperature-bmp280: { every: 60s }, pressure: { every: 60s } }
        wearable:
          stream: { quaternion: { mode: ndof }, corrected-acceleration: { mode: ndof } }
        presses:
          process:
            activity: { from: acceleration, chain: [ rms, { average: 16 }, { threshold: { boundary_g: 0.5 } } ] }
          events:
            hello: { source: button-press, action: { verb: led, args: { color: green, pattern: flash } } }
          foreign: leave
      schedules: { battery: 15m, firmware_check: "daily 03:00", clock: 15m }
      boards:
        - { address: "E5:A1:C2:D3:F4:B6", name: Pump 3, profile: vibration, groups: [east, pumps], labels: { room: "3.14" } }
        - { address: "E5:A1:C2:D3:F4:B7", profile: climate }
        - { address: "E5:A1:C2:D3:F4:B8", profile: wearable }
        - { address: "E5:A1:C2:D3:F4:B9", profile: presses }
      admission: { mode: listed }
      commands: { allow: [{ verbs: ["*"], groups: [east] }], per_min: 600 }
      firmware: { directory: firmware }
      homeassistant: { discovery: true }
      http: { listen: "127.0.0.1:9464", hosts: [gateway.example.com], read: local }
      ownership: { store: static }
      """)
    #expect(result.problems.filter { $0.severity == .error } == [])
    #expect(result.problems.allSatisfy { $0.text.hasSuffix("is not in effect in this version") })
    let paths = Set(result.problems.map(\.path))
    #expect(
      paths.isSuperset(of: [
        "profiles.presses.foreign",
        "ownership.store",
      ]))
    #expect(!paths.contains { $0.hasPrefix("profiles.vibration") || $0.hasPrefix("lanes") })
    #expect(!paths.contains("schedules.firmware_check") && !paths.contains("firmware.directory"))
    #expect(!paths.contains("http.listen"))
    #expect(!paths.contains("schedules.clock") && !paths.contains("bluetooth.quiet_ok"))
    #expect(!paths.contains("profiles.presses.events"))
    #expect(!paths.contains("profiles.presses.process.activity"))
    #expect(!paths.contains("profiles.climate.stream.temperature-bmp280"))
    #expect(!paths.contains("profiles.wearable.stream.quaternion"))
  }

  @Test(
    arguments: [
      "storage: { retain: 30 }", "lanes: { encodings: [xml] }", "http: { port: 1 }",
      "ownership: { store: zookeeper }",
      "commands: { allow: [{ verb: x }] }", "profiles: { p: { visit: { every: hourly } } }",
      "profiles: { p: { visit: { hours: 8-18 } } }", "profiles: { p: { log: [acceleration] } }",
      "homeassistant: { discovery: maybe }",
    ])
  func `their form is checked all the same`(_ text: String) {
    #expect(read(text).problems.hasErrors)
  }
}
