import Dialects
import FleetModel
import Support
import Testing

/// Links and adapters fail; boards are told as what they are, and come back by themselves.
@Suite(.timeLimit(.minutes(20))) struct RadioFaultScenario {
  @Test(arguments: Depth.here)
  func `twenty boards come up and stream`(depth: Depth) async throws {
    let boards = Rig.boards(20)
    let outcome = try await Rig.play(at: depth, boards: boards.count) { rig in
      for board in boards { await rig.streams(board, after: 0) }
      return true
    }
    #expect(outcome == true)
  }

  @Test(arguments: Depth.here)
  func `F26 a link that breaks is told once, and its streams resume`(depth: Depth) async throws {
    let boards = Rig.boards(6)
    let outcome = try await Rig.play(at: depth, boards: boards.count) { rig in
      for board in boards { await rig.streams(board, after: 0) }
      let mark = await rig.broker.mark
      for board in boards.prefix(4) { await rig.hand.loseLink(board) }
      for board in boards.prefix(4) {
        await rig.streams(board, after: mark)
      }
      return await rig.lossesReported(boards, after: mark)
    }
    #expect(outcome?.map(\.count) == [1, 1, 1, 1, 0, 0], "\(outcome ?? [])")
  }

  @Test(arguments: Depth.here)
  func `F18 an adapter that was switched off is switched on, and all boards return`(
    depth: Depth
  ) async throws {
    let boards = Rig.boards(4)
    let outcome = try await Rig.play(at: depth, boards: boards.count) { rig in
      for board in boards { await rig.streams(board, after: 0) }
      let mark = await rig.broker.mark
      await rig.hand.switchAdapterOff()
      for board in boards {
        await rig.isLost(board, after: mark)
        await rig.streams(board, after: mark)
      }
      return true
    }
    #expect(outcome == true)
  }

  @Test(arguments: Depth.here.filter { $0 != .privateBus })
  func `F15 F16 a second adapter carries boards that it receives better, until it is pulled out`(
    depth: Depth
  ) async throws {
    let boards = Rig.boards(6)
    let outcome = try await Rig.play(at: depth, boards: boards.count) { rig in
      for board in boards { await rig.streams(board, after: 0) }
      let first = await rig.adapter(of: boards[0], after: 0)
      var mark = await rig.broker.mark
      await rig.hand.plugIn()
      await rig.adapterIsUp(after: mark)
      mark = await rig.broker.mark
      for board in boards { await rig.hand.loseLink(board) }
      var moved: [BoardID] = []
      for board in boards {
        await rig.streams(board, after: mark)
        if await rig.adapter(of: board, after: mark) != first { moved.append(board) }
      }
      mark = await rig.broker.mark
      await rig.hand.pullOut()
      // Before the adapter is missed, a state may still come that says the old one.
      for board in moved {
        await rig.isLost(board, after: mark)
        await rig.streams(board, over: first, after: mark)
      }
      let stayed = boards.filter { !moved.contains($0) }
      return (
        moved: moved.count,
        losses: await rig.lossesReported(stayed, after: mark)
      )
    }
    let (moved, losses) = try #require(outcome)
    #expect(moved > 0 && moved < boards.count)
    #expect(Array(losses.joined()) == [])
  }

  @Test(arguments: Depth.here)
  func `F03 a board that does not answer holds up no other, and streams when it is back`(
    depth: Depth
  ) async throws {
    let boards = Rig.boards(3)
    let outcome = try await Rig.play(at: depth, boards: boards.count) { rig in
      for board in boards { await rig.streams(board, after: 0) }
      var mark = await rig.broker.mark
      await rig.hand.setInRange(false, boards[0])
      await rig.isLost(boards[0], after: mark)
      await rig.isConnecting(boards[0], after: mark)
      mark = await rig.broker.mark
      await rig.hand.loseLink(boards[1])
      await rig.streams(boards[1], after: mark)
      mark = await rig.broker.mark
      await rig.hand.setInRange(true, boards[0])
      await rig.streams(boards[0], after: mark)
      return await rig.lossesReported([boards[2]])
    }
    #expect(outcome == [[]])
  }
}
