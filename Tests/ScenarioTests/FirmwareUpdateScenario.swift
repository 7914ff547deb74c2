import FleetModel
import Simulator
import Storage
import Support
import Testing
import VirtualTime

@testable import SeededFaults

/// Simulated boards get firmware over the protocol of their bootloaders, from the command to the answer.
@Suite(.timeLimit(.minutes(20))) struct FirmwareUpdateScenario {
  private typealias Source = SeededFirmware

  /// A gateway with its boards, from its start to its stop.
  private struct Life: Sendable {
    let world: SeededWorld
    let radio: SimulatedRadio
    let parts: GatewayParts

    /// `board`: as an earlier life left it.
    init(_ world: SeededWorld, boards: Int, board: MetaMotionBoard? = nil, store: Store? = nil) throws {
      self.world = world
      var configuration = try GatewayParts.configuration(boards: boards, seed: 1)
      configuration.schedules.firmwareCheck = .never
      radio = SimulatedRadio(
        boards: board.map { [$0] } ?? GatewayParts.boards(boards, seed: 1), air: Air(seed: 1),
        timekeeper: world, executor: world)
      parts = GatewayParts(
        radio: radio, configuration: configuration, timekeeper: world,
        store: try store ?? Store(inMemoryOn: world), storeExecutor: world, seed: 1, firmware: Source())
    }

    func play<Result: Sendable>(
      _ body: @escaping @Sendable (Rig, [BoardID]) async -> Result
    ) async -> Result? {
      await parts.run { broker in
        let rig = Rig(
          depth: .simulated, broker: broker, timekeeper: world, hand: SimulatedHand(radio: radio))
        return await body(rig, Rig.boards(2))
      }
    }
  }

  /// Updates the first of two boards, with a defect. Returns the final reply, all documents of its firmware, and how
  /// many batches of samples the other one published meanwhile.
  private static func update(
    _ defects: [BootloaderDefect] = []
  ) throws -> (reply: String, documents: [String], others: Int) {
    let world = SeededWorld(seed: 1)
    let life = try Life(world, boards: 2)
    let played = world.run {
      await life.play { rig, boards -> (String, [String], Int) in
        for board in boards { await rig.isConnected(board) }
        for defect in defects {
          await life.radio.perform(on: boards[0], as: MetaMotionBoard.self) { board, now in
            board.apply(.defect(.bootloader(defect)), at: now)
          }
        }
        let mark = await rig.broker.mark
        let reply = await rig.command("firmware-update", #""confirm":"\#(boards[0])""#, on: boards[0])
        let published = await rig.broker.published.dropFirst(mark)
        let documents = published.filter { $0.topic == "metafleet/board/\(boards[0])/firmware" }.map(\.text)
        let others = published.count { $0.topic.hasPrefix("metafleet/board/\(boards[1])/live/") }
        return (reply, documents, others)
      }
    }
    return try #require(played ?? nil)
  }

  @Test func `F53 a board gets firmware from end to end, and another one streams meanwhile`() throws {
    let (reply, documents, others) = try Self.update()
    #expect(reply.contains(#""stage":"done""#) && reply.contains(#""to":"1.9.1""#), "\(reply)")
    #expect(documents.contains { $0.contains(#""stage":"sending""#) }, "\(documents)")
    #expect(documents.last?.contains(#""installed_version":"1.9.1""#) == true, "\(documents)")
    #expect(others > 10)
  }

  @Test func `F270 D16 what was logged comes home before the update, and the board logs again behind it`()
    throws
  {
    let world = SeededWorld(seed: 1)
    let life = try Life(world, boards: 1)
    let played = world.run {
      await life.play { rig, boards -> [String] in
        let board = boards[0]
        await rig.isConnected(board)
        await rig.command(
          "log-start", #""streams":{"acceleration":{"rate_hz":50,"range_g":4}}"#, on: board)
        try? await world.sleep(for: .seconds(20))
        let mark = await rig.broker.mark
        let reply = await rig.command("firmware-update", #""confirm":"\#(board)""#, on: board)
        let event = await rig.broker.message(after: mark) { $0.topic.hasSuffix("/event/log-downloaded") }.text
        try? await world.sleep(for: .seconds(30))
        return [reply, event, await rig.command("log-status", on: board)]
      }
    }
    let texts = try #require(played ?? nil)
    #expect(texts[0].contains(#""to":"1.9.1""#), "\(texts[0])")
    #expect(texts[1].contains(#""event_type":"complete""#), "\(texts[1])")
    #expect(texts[2].contains(#""logging":true"#), "\(texts[2])")
  }

  @Test(arguments: [0, 1, 50, 99, 100])
  func `F52 D01 the link is lost on the way, and the image comes whole`(percent: Int) throws {
    let reply = try Self.update([.linkLost(percent: percent)]).reply
    #expect(reply.contains(#""to":"1.9.1""#), "\(reply)")
  }

  @Test func `F53 D03 flash takes half a minute to be erased`() throws {
    let reply = try Self.update([.erasing(.seconds(36))]).reply
    #expect(reply.contains(#""to":"1.9.1""#) && reply.contains(#""attempts":1"#), "\(reply)")
  }

  @Test func `F53 D07 a bit that flips is noticed, and never done`() throws {
    let reply = try Self.update([.flippedBit(1)]).reply
    #expect(reply.contains(#""to":"1.9.1""#) && reply.contains(#""attempts":2"#), "\(reply)")
  }

  @Test func `F53 D17 an activation that is lost, and one that starts the old application`() throws {
    let lost = try Self.update([.activation(.lost, 1)]).reply
    #expect(lost.contains(#""to":"1.9.1""#) && lost.contains(#""attempts":2"#), "\(lost)")
    let old = try Self.update([.activation(.old, 1)]).reply
    #expect(old.contains(#""code":"board-error""#), "\(old)")
  }

  @Test func `D10 an application that ignores the jump is told again`() throws {
    let reply = try Self.update([.jump(.ignored, 1)]).reply
    #expect(reply.contains(#""to":"1.9.1""#), "\(reply)")
    let back = try Self.update([.jump(.returned, 1)]).reply
    #expect(back.contains(#""to":"1.9.1""#), "\(back)")
  }

  @Test func `D05 a bootloader with little room gets fewer packets at a time`() throws {
    let reply = try Self.update([.buffer(4)]).reply
    #expect(reply.contains(#""stage":"done""#), "\(reply)")
  }

  @Test func `F273 a gateway that is killed in the midst of a transfer rescues the board when it is back`()
    throws
  {
    let world = SeededWorld(seed: 1)
    let store = try Store(inMemoryOn: world)
    let first = try Life(world, boards: 1, store: store)
    let played = world.run { () -> String? in
      let board = Rig.boards(1)[0]
      _ = await first.play { rig, _ in
        await rig.isConnected(board)
        await rig.broker.send(
          "metafleet/board/\(board)/cmd/firmware-update", #"{"id":"1","args":{"confirm":"\#(board)"}}"#)
        _ = await rig.broker.message {
          $0.topic == "metafleet/board/\(board)/firmware" && $0.says(#""update_percentage":"#)
        }
      }
      // The radio of a process ends with it; boards do not.
      let second = try? await Life(world, boards: 1, board: first.radio.board(board), store: store)
      return await second?.play { rig, _ in
        await rig.broker.message { $0.topic == "metafleet/board/\(board)/event/firmware" && $0.says("1.9.1") }
          .text
      }
    }
    let event = try #require(played ?? nil)
    #expect(event.contains(#""event_type":"updated""#), "\(event)")
    #expect(event.contains(#""installed_version":"1.9.1""#), "\(event)")
  }
}
