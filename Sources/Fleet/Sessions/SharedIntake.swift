import BoardKit
package import FleetModel

/// What the intakes of a radio's sessions share: the packet at hand, the batches and live samples that are finished,
/// which batches are open, and whether their thread was held up. Confined to their executor.
///
/// One for all, so that nobody has to ask hundreds of sessions ten times a second: what they hold has left the
/// processor's cache by then. Unchecked for the reason that `PacketIntake` gives.
package final class SharedIntake {
  private struct Due {
    let stream: SessionStream
    let board: BoardID
    let time: Duration
  }

  /// Taken out while it is in use.
  @exclusivity(unchecked) var decoded = DecodedPackets()
  @exclusivity(unchecked) var outgoing: [FleetEvent] = []
  @exclusivity(unchecked) private var open: [Due] = []
  private var stallDetector = StallDetector()
  private var clockSteps = ClockSteps()

  package init() {}

  /// A stream has begun a batch, or has samples that wait: somebody has to look at it then.
  func note(_ stream: SessionStream, of board: BoardID) {
    if let due = stream.takeDue() { open.append(Due(stream: stream, board: board, time: due)) }
  }

  /// Live samples, and batches that are full or have waited long enough.
  package func takeFinished(at uptime: Duration) -> [FleetEvent] {
    // Of a batch that was full before, the stream has begun another one, which is noted, too.
    let due = open.filter { $0.time <= uptime }
    open.removeAll { $0.time <= uptime }
    for due in due {
      due.stream.flush(at: uptime, force: false, setForward: setForward, board: due.board, into: &outgoing)
      note(due.stream, of: due.board)
    }
    defer { outgoing.removeAll(keepingCapacity: true) }
    return outgoing
  }
}

// The thread.
extension SharedIntake {
  /// Takes a tick, which should come once in a `period`. False while packets may still wait to be read after a stall of
  /// ours.
  func tick(at uptime: Duration, _ now: Timestamp, period: Duration) -> Bool {
    clockSteps.update(at: now, uptime: uptime)
    return stallDetector.tick(at: uptime, period: period)
  }

  /// By how many nanoseconds our clock was set forward lately.
  var setForward: Int64 { clockSteps.forward }

  /// There is no session left to tick for. What its batches hold, each flushes itself at its end.
  func stop() {
    open = []
    stallDetector.stop()
  }

  /// Whether any tick since `start` was late.
  func wasStalled(since start: Duration) -> Bool { stallDetector.wasStalled(since: start) }
}
