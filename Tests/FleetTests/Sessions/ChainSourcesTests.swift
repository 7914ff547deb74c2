import FleetModel
import Testing

@testable import Fleet

/// A chain needs its sensors as it was told (MQTT contract 2.2, 3.8).
@Suite struct ChainSourcesTests {
  private static let program = BoardProgram(chains: [
    "calm": Chain(from: "acceleration", [ChainStep("rms")]),
    "presses": Chain(from: "switch", [ChainStep("counter")]),
  ])

  private func withoutSources(_ sources: inout ChainSources, _ chain: String) throws {
    let sensor = try #require(sources.sensors(of: Self.program)["process/\(chain)/acceleration"])
    sources.note([(sensor, .invalid("fusion owns it"))])
  }

  @Test func `every chain has its sensors`() {
    let sensors = ChainSources().sensors(of: Self.program)
    #expect(sensors.keys.sorted() == ["process/calm/acceleration", "process/presses/switch"])
  }

  @Test func `what the board did not take needs no sensor`() {
    var sources = ChainSources()
    sources.refused = [ProgramKey(.chain, "calm"): CommandFailure(.noSlots, "full")]
    #expect(sources.sensors(of: Self.program).keys.sorted() == ["process/presses/switch"])
    #expect(sources.refusals.values.map(\.code) == [.noSlots])
  }

  @Test func `a chain without its sensor is not asked of the board`() throws {
    var sources = ChainSources()
    try withoutSources(&sources, "calm")
    #expect(sources.isStale)
    #expect(sources.withSources(Self.program).chains.keys.sorted() == ["presses"])
    #expect(!sources.isStale)
    let failure = try #require(sources.refusals[ProgramKey(.chain, "calm")])
    #expect(failure.code == .invalid && failure.message.contains("calm cannot compute: fusion owns it"))
    // It is asked for again as soon as the sensor can be had.
    #expect(sources.sensors(of: Self.program)["process/calm/acceleration"] != nil)
    sources.note([])
    #expect(sources.isStale)
    #expect(sources.withSources(Self.program) == Self.program)
    #expect(sources.refusals.isEmpty)
  }

  @Test func `what a board refuses is told by stream, and of sensors by what needs them`() {
    var sources = ChainSources()
    let sensor = StreamRequest(name: "gyroscope", configuration: [:], consumer: .chain("calm"))
    let logged = StreamRequest(name: "light", configuration: [:], consumer: .log)
    let requests = [StreamKey(0): StreamRequest.acceleration(50), StreamKey(1): sensor, StreamKey(2): logged]
    let failure = CommandFailure(.noSlots, "full")
    let refused = sources.note(
      [StreamKey(0): failure, StreamKey(1): failure, StreamKey(2): failure, StreamKey(9): failure],
      of: requests)
    #expect(refused == ["acceleration": failure])
    #expect(sources.withoutSources.keys.sorted() == ["calm"] && sources.unlogged == ["light": failure])
  }
}
