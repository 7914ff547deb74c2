import FleetModel
import Testing

@testable import Fleet

/// What a profile and the verbs come to (MQTT contract 1.5).
@Suite struct BoardWishesTests {
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
    let wishes = BoardWishes(Self.profile())
    #expect(wishes.streams == wishes.standingStreams && wishes.streams.keys.sorted() == ["acceleration"])
    #expect(wishes.logs == wishes.standingLogs && wishes.logs.keys.sorted() == ["pressure"])
    #expect(wishes.isHeld)
  }

  @Test func `what verbs changed lies over it, and what the profile says stays known`() {
    let profile = Self.profile()
    var (streams, logs) = (StreamOverlay(), LogOverlay())
    _ = streams.stop("acceleration", profile: profile.streams)
    logs.note(.start([Self.read(every: "1m")], isCircular: nil, adjusted: []), profile: profile.logs)
    let wishes = BoardWishes(profile, SetupOverlay(streams: streams, logs: logs))
    #expect(wishes.streams.isEmpty && wishes.standingStreams.keys.sorted() == ["acceleration"])
    #expect(wishes.logs.keys.sorted() == ["pressure", "temperature-die"])
    #expect(wishes.standingLogs.keys.sorted() == ["pressure"])
    #expect(!wishes.isHeld)
  }

  @Test func `what was wanted of a chain ends with it`() {
    var streams = StreamOverlay()
    streams.start(StreamRequest(name: "chain-of-old", configuration: [:]), until: nil, profile: [:])
    #expect(BoardWishes(Profile(), SetupOverlay(streams: streams)).streams.isEmpty)
  }

  @Test func `a board that has to show that it is like new logs nothing`() {
    let wishes = BoardWishes(Self.profile(), logsNothing: true)
    #expect(wishes.logs.isEmpty && wishes.standingLogs.keys.sorted() == ["pressure"])
  }

  @Test func `only boards that are visited are read, as often as the most impatient stream wants`() {
    let visited = Self.profile { $0.streams = ["temperature-die": Self.read(every: "5m")] }
    #expect(BoardWishes(visited).readPeriod == .seconds(300))
    let held = Self.profile { $0.streams = ["temperature-die": Self.read(every: "1m")] }
    #expect(BoardWishes(held).readPeriod == nil)
  }
}
