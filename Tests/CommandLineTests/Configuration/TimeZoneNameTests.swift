import FleetModel
import Testing

@testable import metafleet

/// The time zone of the site (MQTT contract 7.2).
@Suite struct TimeZoneNameTests {
  private static let names = ["America/New_York", "Europe/Berlin", "Europe/Bern", "Asia/Kolkata", "UTC"]

  @Test(
    arguments: [
      ("Europe/Berln", "Europe/Berlin"), ("berlin", "Europe/Berlin"), ("europe/berlin", "Europe/Berlin"),
      ("New York", "America/New_York"), ("utc", "UTC"), ("Kolkatta", "Asia/Kolkata"),
    ])
  func `other names are helped`(name: String, meant: String) {
    #expect(TimeZoneName.advice(for: name, among: Self.names) == "did you mean \(meant)?")
  }

  @Test(arguments: ["CET", "GMT+2", "GMT", "EST", "x"])
  func `letters and distances are no place`(name: String) {
    #expect(!TimeZoneName.isOne(name))
    #expect(TimeZoneName.advice(for: name, among: Self.names).contains("such as Europe/Berlin"))
  }

  @Test func `F185 the file names the zone whose clocks count`() {
    let result = read("gateway: { timezone: Europe/Berlin }")
    #expect(result.problems == [] && result.configuration.gateway.timeZone == "Europe/Berlin")
    let zone = result.configuration.timeZone
    // 2026-03-29, 02:30: after the gap, at 01:00 UTC.
    #expect(zone.time(day: 20_541, minute: 150) == Timestamp(milliseconds: 1_774_746_000_000))
    #expect(zone.offset(at: Timestamp(milliseconds: 4_088_000_000_000)) == .seconds(7_200), "July 2099")
  }

  @Test func `a zone that is not there is an error at its place`() {
    let found = read("gateway:\n  timezone: Europe/Berln\n").problems
    #expect(found.map(\.path) == ["gateway.timezone"] && found.first?.line == 2)
    #expect(found.first?.text.contains("did you mean Europe/Berlin?") == true)
  }
}
