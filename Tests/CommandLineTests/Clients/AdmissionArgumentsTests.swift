import FleetModel
import Testing

@testable import metafleet

@Suite struct AdmissionArgumentsTests {
  @Test func `what is said becomes arguments, what is not said stays out`() throws {
    let all = try AdmissionArguments.details(
      name: "Pump 3", site: "hq", profile: "vibration", groups: ["a", "b"], labels: ["room=3=14", "x="],
      isEnabled: false)
    #expect(
      all == [
        "name": "Pump 3", "site": "hq", "profile": "vibration", "groups": ["a", "b"],
        "labels": ["room": "3=14", "x": ""], "enabled": false,
      ])
    let none = try AdmissionArguments.details(
      name: nil, site: nil, profile: nil, groups: [], labels: [], isEnabled: nil)
    #expect(none.isEmpty)
  }

  @Test(arguments: [["room"], ["=x"], ["a=1", "a=2"]])
  func `labels that are none, or twice, are usage`(_ labels: [String]) {
    #expect {
      try AdmissionArguments.details(
        name: nil, site: nil, profile: nil, groups: [], labels: labels, isEnabled: nil)
    } throws: {
      ($0 as? CommandLineFailure)?.status == .usage
    }
  }
}
