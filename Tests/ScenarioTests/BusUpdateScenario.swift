import FleetModel
import Support
import Testing

@testable import SeededFaults

/// Boards get firmware while others stream: on simulated links, and in the laboratory above a real bluetoothd, where
/// each jumps at its address into other attributes at the same handles.
@Suite(.timeLimit(.minutes(10))) struct BusUpdateScenario {
  private static let (updated, others) = (3, 5)

  private struct Outcome: Sendable {
    var replies: [String]
    /// Stages that each of them published, in order, without repeats.
    var stages: [[String]]
    /// Streams of the others that broke off, or lack a sample.
    var broken: [BoardID: Set<String>]
    var lost: [[String]]
    /// How many of the others published batches meanwhile.
    var streaming: Int
  }

  @Test(arguments: Depth.unhurriedHere)
  func `F53 F274 boards get firmware in turn over one adapter, and the others stream without a break`(
    depth: Depth
  ) async throws {
    let played = try await Rig.play(
      at: depth, boards: Self.updated + Self.others, firmware: SeededFirmware(size: 4_004)
    ) { (rig: Rig) -> Outcome in
      let boards = Rig.boards(Self.updated + Self.others)
      for board in boards { await rig.streams(board, after: 0) }
      return await Self.update(
        Array(boards.prefix(Self.updated)), beside: Array(boards.dropFirst(Self.updated)), by: rig)
    }
    let outcome = try #require(played)
    for reply in outcome.replies {
      #expect(reply.contains(#""to":"1.9.1""#) && reply.contains(#""evidence":"readback""#), "\(reply)")
      #expect(reply.contains(#""attempts":1,"#), "\(reply)")
    }
    for stages in outcome.stages {
      #expect(stages.contains("entering-bootloader") && stages.contains("sending"), "\(stages)")
      #expect(stages.last == "idle", "\(stages)")
    }
    #expect(outcome.broken.values.allSatisfy { $0.isEmpty }, "\(outcome.broken)")
    #expect(outcome.lost.allSatisfy { $0.isEmpty }, "\(outcome.lost)")
    #expect(outcome.streaming == Self.others)
  }

  private static func update(_ boards: [BoardID], beside others: [BoardID], by rig: Rig) async -> Outcome {
    let mark = await rig.broker.mark
    let replies = await withTaskGroup(of: String.self) { group in
      for board in boards {
        group.addTask { await rig.command("firmware-update", #""confirm":"\#(board)""#, on: board) }
      }
      var replies: [String] = []
      for await reply in group { replies.append(reply) }
      return replies
    }
    let end = await rig.broker.mark
    for board in boards { await rig.records(board, after: end) }
    let published = await rig.broker.published
    let batches = PublishedBatches(published)
    return Outcome(
      replies: replies,
      stages: boards.map { board in stages(of: board, in: published[mark...].map { ($0.topic, $0.text) }) },
      broken: batches.broken(in: mark..<end).filter { others.contains($0.key) },
      lost: await rig.lossesReported(others, after: mark),
      streaming: others.filter { board in
        published[mark..<end].contains { $0.topic == "metafleet/board/\(board)/record/acceleration" }
      }.count)
  }

  private static func stages(of board: BoardID, in messages: [(topic: String, text: String)]) -> [String] {
    var stages: [String] = []
    for (topic, text) in messages where topic == "metafleet/board/\(board)/firmware" {
      guard let stage = text.firstMatch(of: /"stage":"([a-z-]+)"/).map({ String($0.1) }) else { continue }
      if stages.last != stage { stages.append(stage) }
    }
    return stages
  }
}
