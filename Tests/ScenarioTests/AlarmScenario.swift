import FleetModel
import Simulator
import Storage
import Support
import Testing
import VirtualTime

@testable import SeededFaults

/// What a gateway says somebody should see to, and what is known of that over restarts.
@Suite(.timeLimit(.minutes(20)), .ownThread) struct AlarmScenario {
  /// Plays one life of a gateway after another, each with what the disk has from the one before.
  private func play(_ lives: [@Sendable (Rig) async -> [String]]) throws -> [[String]] {
    let world = SeededWorld(seed: 1)
    let radio = SimulatedRadio(
      boards: GatewayParts.boards(1, seed: 1), air: Air(seed: 1), timekeeper: world, executor: world)
    let configuration = try GatewayParts.configuration(boards: 1, seed: 1)
    let store = try Store(inMemoryOn: world)
    let outcome = world.run(atMost: .seconds(3_600)) { () -> [[String]] in
      var said: [[String]] = []
      for life in lives {
        let parts = GatewayParts(
          radio: radio, configuration: configuration, timekeeper: world, store: store, storeExecutor: world,
          seed: 1)
        let texts = await parts.run { broker in
          await life(
            Rig(depth: .simulated, broker: broker, timekeeper: world, hand: SimulatedHand(radio: radio)))
        }
        said.append(texts ?? [])
      }
      return said
    }
    return try #require(outcome, "the world stopped at \(world.uptime)")
  }

  @Test func `F179 who has seen an alarm is known after a restart, until the alarm is over`() throws {
    let said = try play([
      { rig in
        await rig.isConnected(Rig.boards(1)[0])
        for _ in 0..<6 { _ = await rig.command("forget") }
        let stands = await rig.alarms { $0.says("commands-failing") }
        let refused = await rig.command("alarm-acknowledge", #""alarm":"storage-full""#)
        let answer = await rig.command("alarm-acknowledge", #""code":"commands-failing""#)
        return [
          stands, refused, answer, await rig.alarms { $0.says(#""unacknowledged":0"#) && $0.says("failing") },
        ]
      },
      { rig in
        let stands = await rig.alarms { $0.says("commands-failing") }
        return [stands, await rig.alarms { $0.says(#""count":0"#) }]
      },
    ])
    let (before, after) = (said[0], said[1])
    #expect(before[0].contains(#""acknowledged":false"#), "\(before[0])")
    #expect(
      before[1].contains("\"invalid\"") && before[2].contains("\"count\":1"), "\(before[1]) \(before[2])")
    #expect(after[0].contains(#""acknowledged":true"#), "\(after[0])")
    let since = [before[0], before[3]].compactMap { $0.firstMatch(of: /"since_ms":(\d+)/)?.1 }
    #expect(since.count == 2 && Set(since).count == 1)
    #expect(after[0].firstMatch(of: /"since_ms":(\d+)/)?.1 == since[0])
    #expect(after[1].contains(#""alarms":[]"#), "\(after[1])")
  }

  @Test func `a board that is not there is an alarm in time, and none once it is forgotten`() throws {
    let absent = try #require(BoardID("00aabbccddee"))
    let said = try play([
      { rig in
        await rig.isConnected(Rig.boards(1)[0])
        _ = await rig.command("admit", #""board":"\#(absent)","name":"Pump 3""#)
        let stands = await rig.alarms { $0.says("board-offline.\(absent)") }
        let mark = await rig.broker.mark
        _ = await rig.command("forget", #""board":"\#(absent)""#)
        return [stands, await rig.alarms(after: mark) { $0.says(#""count":0"#) }]
      }
    ])
    #expect(said[0][0].contains(#""name":"Pump 3""#) && said[0][0].contains(#""warning":1"#), "\(said[0][0])")
    #expect(said[0][1].contains(#""alarms":[]"#), "\(said[0][1])")
  }
}

extension Rig {
  /// The gateway's alarms, once they are so.
  fileprivate func alarms(
    after mark: Int = 0, where matches: @escaping @Sendable (MQTTMessage) -> Bool
  ) async -> String {
    await broker.message(after: mark) { $0.topic == "metafleet/gateway/test/alarms" && matches($0) }.text
  }
}
