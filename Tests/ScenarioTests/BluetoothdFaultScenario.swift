import FleetModel
import Testing

/// bluetoothd goes and comes; nothing of it may be believed meanwhile.
@Suite(.timeLimit(.minutes(20))) struct BluetoothdFaultScenario {
  @Test(arguments: Depth.busesHere, BluetoothdEnd.allCases)
  func `F10 bluetoothd ends and is back at once`(depth: Depth, end: BluetoothdEnd) async throws {
    let boards = Rig.boards(4)
    let outcome = try await Rig.play(onBusAt: depth, boards: boards.count) { rig, hand in
      for board in boards { await rig.streams(board, after: 0) }
      let mark = await rig.broker.mark
      await hand.endBluetoothd(end)
      await hand.startBluetoothd()
      for board in boards {
        await rig.isLost(board, after: mark)
        await rig.streams(board, after: mark)
      }
      return true
    }
    #expect(outcome == true)
  }

  @Test(arguments: Depth.busesHere, BluetoothdEnd.allCases)
  func `F11 bluetoothd ends and stays away for a while`(depth: Depth, end: BluetoothdEnd) async throws {
    let boards = Rig.boards(4)
    let outcome = try await Rig.play(onBusAt: depth, boards: boards.count) { rig, hand in
      for board in boards { await rig.streams(board, after: 0) }
      var mark = await rig.broker.mark
      await hand.endBluetoothd(end)
      for board in boards { await rig.busIsLost(board, after: mark) }
      // Long enough for what is in the kernel to end.
      if depth == .lab { await rig.healthIsTold(after: mark) }
      mark = await rig.broker.mark
      await hand.startBluetoothd()
      for board in boards { await rig.streams(board, after: mark) }
      return true
    }
    #expect(outcome == true)
  }

  @Test(arguments: Depth.busesHere)
  func `F11 a bluetoothd that is not there at the start is found when it comes`(depth: Depth) async throws {
    let boards = Rig.boards(2)
    let outcome = try await Rig.play(
      onBusAt: depth, boards: boards.count, prepare: { hand in await hand.endBluetoothd(.stopped) }
    ) { rig, hand in
      for board in boards { await rig.busIsLost(board, after: 0) }
      await hand.startBluetoothd()
      for board in boards { await rig.streams(board, after: 0) }
      return true
    }
    #expect(outcome == true)
  }
}
