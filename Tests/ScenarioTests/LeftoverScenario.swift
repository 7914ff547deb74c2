import FleetModel
import Testing

/// What others, or we ourselves in an earlier life, have left behind in BlueZ.
@Suite(.timeLimit(.minutes(20))) struct LeftoverScenario {
  @Test(arguments: Depth.busesHere)
  func `F08 another client listens to the board, and goes`(depth: Depth) async throws {
    let boards = Rig.boards(2)
    let outcome = try await Rig.play(
      onBusAt: depth, boards: boards.count,
      prepare: { hand in
        try await hand.bystander.connect([boards[0]])
        try await hand.bystander.startNotify(boards[0])
      }
    ) { rig, hand in
      for board in boards { await rig.streams(board, after: 0) }
      await hand.bystander.leave()
      let mark = await rig.broker.mark
      for board in boards { await rig.records(board, after: mark) }
      return await rig.lossesReported(boards)
    }
    #expect(outcome == [[], []])
  }

  @Test(arguments: Depth.busesHere)
  func `F09 links of an earlier run that was killed are adopted`(depth: Depth) async throws {
    let boards = Rig.boards(3)
    let outcome = try await Rig.play(
      onBusAt: depth, boards: boards.count,
      prepare: { hand in
        // Connected boards do not advertise: only BlueZ's list shows them.
        try await hand.bystander.connect(Array(boards.prefix(2)))
        for board in boards.prefix(2) {
          try await hand.bystander.startNotify(board)
        }
        await hand.bystander.leave()
      }
    ) { rig, _ in
      for board in boards { await rig.streams(board, after: 0) }
      return true
    }
    #expect(outcome == true)
  }
}
