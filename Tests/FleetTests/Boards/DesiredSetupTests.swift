import FleetModel
import Testing

@testable import Fleet

/// What a profile and the verbs come to (MQTT contract 1.5).
@Suite struct DesiredSetupTests {
  private static func profile(_ change: (inout Profile) -> Void = { _ in }) -> Profile {
    var profile = Profile()
    profile.streams = ["acceleration": .acceleration(50)]
    profile.logs = ["pressure": StreamRequest(name: "pressure", configuration: [:])]
    change(&profile)
    return profile
  }

  private static func read(every: String) -> StreamRequest {
    StreamRequest(name: "temperature-die", configuration: ["every": .string(every)])
  }

  @Test func `without verbs the profile is all`() {
    let desiredSetup = DesiredSetup(Self.profile())
    #expect(
      desiredSetup.streams == desiredSetup.baseStreams
        && desiredSetup.streams.keys.sorted() == ["acceleration"])
    #expect(desiredSetup.logs == desiredSetup.baseLogs && desiredSetup.logs.keys.sorted() == ["pressure"])
    #expect(desiredSetup.keepsConnection)
  }

  @Test func `what verbs changed lies over it, and what the profile says stays known`() {
    let profile = Self.profile()
    var (streams, logs) = (StreamOverlay(), LogOverlay())
    _ = streams.stop("acceleration", profile: profile.streams)
    logs.note(.start([Self.read(every: "1m")], isCircular: nil, adjusted: []), profile: profile.logs)
    let desiredSetup = DesiredSetup(profile, SetupOverlay(streams: streams, logs: logs))
    #expect(desiredSetup.streams.isEmpty && desiredSetup.baseStreams.keys.sorted() == ["acceleration"])
    #expect(desiredSetup.logs.keys.sorted() == ["pressure", "temperature-die"])
    #expect(desiredSetup.baseLogs.keys.sorted() == ["pressure"])
    #expect(!desiredSetup.keepsConnection)
  }

  @Test func `what was wanted of a chain ends with it`() {
    var streams = StreamOverlay()
    streams.start(StreamRequest(name: "chain-of-old", configuration: [:]), until: nil, profile: [:])
    #expect(DesiredSetup(Profile(), SetupOverlay(streams: streams)).streams.isEmpty)
  }

  @Test func `a board that has to show that it is like new logs nothing`() {
    let desiredSetup = DesiredSetup(Self.profile(), logsNothing: true)
    #expect(desiredSetup.logs.isEmpty && desiredSetup.baseLogs.keys.sorted() == ["pressure"])
  }

  @Test func `what is read is known with its times`() {
    let visited = Self.profile { $0.streams = ["temperature-die": Self.read(every: "5m")] }
    #expect(DesiredSetup(visited).reads == ["temperature-die": .every(.seconds(300))])
    let daily = Self.profile { $0.streams = ["temperature-die": Self.read(every: "daily 03:00")] }
    #expect(DesiredSetup(daily).reads == ["temperature-die": .daily(minute: 180)])
    #expect(!DesiredSetup(daily).keepsConnection)
    #expect(DesiredSetup(Self.profile()).reads.isEmpty)
  }
}
