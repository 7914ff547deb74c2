import Dialects
import FleetModel
import Simulator
import Storage
import Support
import Testing
import VirtualTime

@testable import SeededFaults

/// Joining that is left open among more boards than may join.
@Suite(.timeLimit(.minutes(20))) struct JoiningScenario {
  /// What was published until some moment: boards admitted, boards with retained documents, and who was left out why.
  private struct Seen: Sendable {
    var admitted = 0
    var boards: Set<String> = []
    var reasons: [String] = []

    init(_ messages: [MQTTMessage]) {
      for message in messages {
        let levels = message.topic.split(separator: "/").map(String.init)
        if levels.count > 2, levels[1] == "board" { boards.insert(levels[2]) }
        if message.topic.hasSuffix("/event/board-admitted") { admitted += 1 }
        guard message.topic.hasSuffix("/event/board-discovered") else { continue }
        let event = (try? StrictJSON.parse(message.payload, limits: .trusting))?.object
        reasons.append(event?["reason"]?.string ?? "")
      }
    }
  }

  @Test func `F164 of many boards only so many join, and only some of them at once; others cost no topic`()
    throws
  {
    let world = SeededWorld(seed: 1)
    var configuration = try GatewayParts.configuration(boards: 0, seed: 1)
    configuration.admission.mode = .open
    configuration.admission.maximumBoards = 3
    configuration.admission.perMinute = 2
    let radio = SimulatedRadio(
      boards: GatewayParts.boards(8, seed: 1), air: Air(seed: 1), timekeeper: world, executor: world)
    let parts = GatewayParts(
      radio: radio, configuration: configuration, timekeeper: world, store: try Store(inMemoryOn: world),
      storeExecutor: world, seed: 1)
    let outcome = world.run {
      await parts.run { broker -> (early: Seen, late: Seen) in
        try? await world.sleep(for: .seconds(45))
        let early = Seen(await broker.published)
        try? await world.sleep(for: .seconds(180))
        return (early, Seen(await broker.published))
      }
    }
    let (early, late) = try #require(outcome ?? nil)
    #expect(early.admitted == 2 && early.boards.count == 2)
    #expect(late.admitted == 3 && late.boards.count == 3)
    // Each is told once: the board that joined later, and the five that did not.
    #expect(late.reasons.count == 6 && late.reasons.allSatisfy { ["rate", "max-boards"].contains($0) })
  }
}
