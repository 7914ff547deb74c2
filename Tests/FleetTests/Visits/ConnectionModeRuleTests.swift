import FleetModel
import Testing

@testable import Fleet

/// MQTT contract 7.4, `link`.
@Suite struct ConnectionModeRuleTests {
  private static let log = ["acceleration": StreamRequest(name: "acceleration", configuration: [:])]

  private func holds(
    _ link: Profile.LinkPolicy = .automatic, streams: [StreamRequest] = [],
    logs: [String: StreamRequest] = [:],
    every: Duration? = nil
  ) -> Bool {
    var profile = Profile()
    profile.link = link
    profile.visit.every = every.map { .every($0) }
    return ConnectionModeRule.holds(
      profile, streams: Dictionary(uniqueKeysWithValues: streams.map { ($0.name, $0) }), logs: logs)
  }

  private func read(every: String) -> StreamRequest {
    StreamRequest(name: "temperature-die", configuration: ["every": .string(every)])
  }

  @Test func `what notifies is held`() {
    #expect(holds(streams: [.acceleration(50)], logs: Self.log))
    #expect(holds(streams: [read(every: "119s")]))
    #expect(!holds(streams: [read(every: "2m")]))
    #expect(!holds(logs: Self.log))
  }

  @Test(
    arguments: [
      ("daily 03:00", false), ("never", false), ("60s 08:00-18:00", true), ("10m 08:00-18:00", false),
      ("90s 10%", true),
    ])
  func `a board that is read by a schedule is held for its pace alone`(every: String, isHeld: Bool) {
    #expect(holds(streams: [read(every: every)]) == isHeld)
  }

  @Test func `the profile may say otherwise`() {
    #expect(holds(.hold, logs: Self.log))
    #expect(!holds(.visit, streams: [.acceleration(50)]))
  }

  @Test func `a board of which nothing is wanted is at hand, as ever, unless it is to be visited`() {
    #expect(holds())
    #expect(!holds(every: .seconds(3_600)))
  }
}
