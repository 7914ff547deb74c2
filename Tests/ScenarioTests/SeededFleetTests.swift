import BoardKit
import Dialects
import Fleet
import FleetModel
import Logging
import MetaMotion
import Simulator
import Storage
import Support
import Testing
import VirtualTime

@testable import SeededFaults

/// The real fleet on one thread with virtual time: supervisors, drivers, dialect and SQLite against simulated boards.
@Suite struct SeededFleetTests {
  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `boards stream and obey`(seed: UInt64) throws {
    let world = SeededWorld(seed: seed)
    let rig = try SimulatedRig(world: world, boards: 3)
    let outcome = world.run {
      await rig.run { broker in
        let board = "c0ffee000001"
        let online = await broker.message {
          $0.topic == "metafleet/board/\(board)/availability" && text($0).contains("connected")
        }
        let batch = await broker.message { $0.topic == "metafleet/board/\(board)/record/acceleration" }
        await broker.send("metafleet/board/\(board)/cmd/led", #"{"id":"one","args":{"color":"green"}}"#)
        let done = await broker.message {
          $0.topic == "metafleet/board/\(board)/reply/led" && text($0).contains("\"done\"")
        }
        return [text(online), text(batch), text(done)]
      }
    }
    let texts = try #require(outcome ?? nil, "seed \(seed): the world came to a stop at \(world.uptime)")
    #expect(texts[0].contains("\"reason\":\"connected\""), "seed \(seed)")
    #expect(texts[1].contains("\"gap_before\":0"), "seed \(seed)")
    #expect(texts[2].contains("\"evidence\":\"readback\""), "seed \(seed)")
  }

  @Test func `the same seed runs the same way`() throws {
    func trace(_ seed: UInt64) throws -> ([MQTTMessage], Int) {
      let world = SeededWorld(seed: seed)
      let rig = try SimulatedRig(world: world, boards: 2)
      let messages = world.run {
        await rig.run { broker in
          try? await world.sleep(for: .seconds(20))
          return await broker.published
        }
      }
      return (try #require(messages ?? nil), world.jobsRun)
    }
    let first = try trace(7)
    let second = try trace(7)
    for (index, pair) in zip(first.0, second.0).enumerated() where pair.0 != pair.1 {
      Issue.record(
        "message \(index): \(pair.0.topic) \(text(pair.0)) against \(pair.1.topic) \(text(pair.1))")
      break
    }
    #expect(first.0.count == second.0.count)
    #expect(first.1 == second.1)
    #expect(first.0.count > 50)
  }
}

private func text(_ message: MQTTMessage) -> String { String(decoding: message.payload, as: UTF8.self) }
