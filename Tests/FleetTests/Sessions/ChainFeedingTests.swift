import FleetModel
import Testing

@testable import Fleet

/// A chain needs its sensors as it was told (MQTT contract 2.2, 3.8).
@Suite struct ChainFeedingTests {
  private static let program = BoardProgram(chains: [
    "calm": Chain(from: "acceleration", [ChainStep("rms")]),
    "presses": Chain(from: "switch", [ChainStep("counter")]),
  ])

  private func unfed(_ feeding: inout ChainFeeding, _ chain: String) throws {
    let feed = try #require(feeding.feeds(of: Self.program)["process/\(chain)/acceleration"])
    feeding.note([(feed, .invalid("fusion owns it"))])
  }

  @Test func everyChainHasItsSensors() {
    let feeds = ChainFeeding().feeds(of: Self.program)
    #expect(feeds.keys.sorted() == ["process/calm/acceleration", "process/presses/switch"])
  }

  @Test func whatTheBoardDidNotTakeNeedsNoSensor() {
    var feeding = ChainFeeding()
    feeding.refused = [ProgramKey(.chain, "calm"): CommandFailure(.noSlots, "full")]
    #expect(feeding.feeds(of: Self.program).keys.sorted() == ["process/presses/switch"])
    #expect(feeding.refusals.values.map(\.code) == [.noSlots])
  }

  @Test func aChainWithoutItsSensorIsNotAskedOfTheBoard() throws {
    var feeding = ChainFeeding()
    try unfed(&feeding, "calm")
    #expect(feeding.isStale)
    #expect(feeding.feedable(Self.program).chains.keys.sorted() == ["presses"])
    #expect(!feeding.isStale)
    let failure = try #require(feeding.refusals[ProgramKey(.chain, "calm")])
    #expect(failure.code == .invalid && failure.message.contains("calm cannot compute: fusion owns it"))
    // It is asked for again as soon as the sensor can be had.
    #expect(feeding.feeds(of: Self.program)["process/calm/acceleration"] != nil)
    feeding.note([])
    #expect(feeding.isStale)
    #expect(feeding.feedable(Self.program) == Self.program)
    #expect(feeding.refusals.isEmpty)
  }

  @Test func `what a board refuses is told by stream, and of sensors by what needs them`() {
    var feeding = ChainFeeding()
    let feed = StreamRequest(name: "gyroscope", configuration: [:], feeding: .chain("calm"))
    let logged = StreamRequest(name: "light", configuration: [:], feeding: .log)
    let requests = [StreamKey(0): StreamRequest.acceleration(50), StreamKey(1): feed, StreamKey(2): logged]
    let failure = CommandFailure(.noSlots, "full")
    let refused = feeding.note(
      [StreamKey(0): failure, StreamKey(1): failure, StreamKey(2): failure, StreamKey(9): failure],
      of: requests)
    #expect(refused == ["acceleration": failure])
    #expect(feeding.unfed.keys.sorted() == ["calm"] && feeding.unlogged == ["light": failure])
  }
}
