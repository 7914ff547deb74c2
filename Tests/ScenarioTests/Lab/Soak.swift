import Dialects
import FleetModel
import Simulator
import Support

/// Does one fault after the other to a rig, and keeps looking whether what it tells is true.
actor Soak {
  private let rig: Rig
  private let hand: LabHand
  private let boards: [BoardID]
  private let onRadio: RadioLinks

  private(set) var truth = LinkTruth()
  /// Faults have stopped for so long when everything has to be well.
  private static let timeout = Duration.seconds(300)
  /// From the last fault until all boards streamed.
  private(set) var healed: Duration?
  /// Those that did not stream in time.
  private(set) var sick: [BoardID] = []
  private var counts: [String: Int] = [:]
  private var looks = 0
  private var walking: [BoardID: Duration] = [:]
  private var isOver = false

  init(rig: Rig, hand: LabHand, boards: [BoardID], onRadio: RadioLinks) {
    self.rig = rig
    self.hand = hand
    self.boards = boards
    self.onRadio = onRadio
  }

  /// Returns when all is well again.
  func run(for duration: Duration, seed: UInt64) async {
    await withTaskGroup { group in
      group.addTask { await self.watch() }
      await doFaults(for: duration, seed: seed)
      await heal()
      isOver = true
      await group.waitForAll()
    }
  }

  private var uptime: Duration { rig.timekeeper.uptime }

  private func doFaults(for duration: Duration, seed: UInt64) async {
    var dice = SoakDice(seed: seed, boards: boards)
    let end = uptime + duration
    while true {
      let (pause, fault) = dice.roll()
      let due = uptime + pause
      guard due < end else { return }
      while uptime < due {
        await returnWalkers(until: uptime)
        await pass(min(due - uptime, .seconds(1)))
      }
      await carryOut(fault)
    }
  }

  private func carryOut(_ fault: SoakDice.Fault) async {
    print("soak: \(uptime): \(fault)")
    switch fault {
    case .lostLink(let board):
      count("lost links")
      await hand.loseLink(board)
    case .reset(let board):
      count("resets")
      await hand.socket.apply(.reset, board)
    case .walk(let board, let time):
      count("walks")
      walking[board] = uptime + time
      await hand.setInRange(false, board)
    case .stolenNotifications(let board):
      count("stolen notifications")
      await hand.bystander.stopNotify(board)
    case .adapterOff:
      count("adapter switched off")
      await hand.switchAdapterOff()
    case .bluetoothdEnds(let manner, let away):
      count("bluetoothd \(manner)")
      await hand.endBluetoothd(manner)
      await pass(away)
      await hand.startBluetoothd()
    }
  }

  /// Those whose time has come; all of them without a time.
  private func returnWalkers(until time: Duration? = nil) async {
    for (board, due) in walking where time.map({ due <= $0 }) ?? true {
      walking[board] = nil
      await hand.setInRange(true, board)
    }
  }

  private func heal() async {
    await returnWalkers()
    let (start, mark) = (uptime, await rig.broker.mark)
    var missing: [BoardID]
    repeat {
      await pass(.seconds(1))
      let links = await rig.links(of: boards)
      let recorded = await rig.boardsWithRecords(boards, after: mark)
      missing = boards.filter { links[$0] != "streaming" || !recorded.contains($0) }
      if missing.isEmpty { return healed = uptime - start }
    } while uptime < start + Self.timeout
    sick = missing
  }

  private func watch() async {
    while !isOver {
      // First what is told, then what is: a change in between would make the telling look early, never late.
      let published = await rig.links(of: boards)
      let inBlueZ = await hand.bystander.connectedBoards() ?? []
      truth.take(
        LinkTruth.Look(published: published, onRadio: onRadio.now, inBlueZ: inBlueZ), at: uptime)
      looks += 1
      await pass(.milliseconds(500))
    }
  }

  private func pass(_ duration: Duration) async { try? await rig.timekeeper.sleep(for: duration) }

  private func count(_ fault: String) { counts[fault, default: 0] += 1 }

  /// What happened, for people.
  var report: String {
    let faults = counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    let worst = LinkTruth.Error.allCases.map {
      "  \($0.rawValue): \(truth.worst[$0] ?? .zero) at most, \($0.limit) allowed"
    }
    return """
      soak: \(counts.values.reduce(0, +)) faults: \(faults)
      soak: \(looks) looks at \(boards.count) boards; told as
      \(worst.joined(separator: "\n"))
      soak: all boards streamed \(healed.map { "after \($0)" } ?? "never"), counted from the last fault
      """
  }
}
