import BoardKit
package import FleetModel

/// What the intakes of a radio's sessions share: the packet at hand, the batches and live samples that are finished, which
/// batches are open, and whether their thread was held up. Confined to their executor.
///
/// One for all, so that nobody has to ask hundreds of sessions ten times a second: what they hold has left the
/// processor's cache by then. Unchecked for the reason that `PacketIntake` gives.
package final class SharedIntake {
  private struct OpenBatch {
    let stream: SessionStream
    let due: Duration
  }

  /// Taken out while it is in use.
  @exclusivity(unchecked) var decoded = DecodedPackets()
  @exclusivity(unchecked) var outgoing: [FleetEvent] = []
  @exclusivity(unchecked) private var open: [OpenBatch] = []
  private var punctuality = Punctuality()

  package init() {}

  /// The batch that `stream` has begun leaves at `due`, by uptime, unless it was full before.
  func began(_ stream: SessionStream, due: Duration) { open.append(OpenBatch(stream: stream, due: due)) }

  /// Live samples, and batches that are full or have waited long enough.
  package func takeFinished(at uptime: Duration) -> [FleetEvent] {
    // Of a batch that was full before, the stream has begun another one, which is noted, too.
    for batch in open where batch.due <= uptime {
      batch.stream.flush(at: uptime, force: false, into: &outgoing)
    }
    open.removeAll { $0.due <= uptime }
    defer { outgoing.removeAll(keepingCapacity: true) }
    return outgoing
  }
}

// The thread.
extension SharedIntake {
  /// Takes a beat, which should come once in a `period`. False while packets may still wait to be read after a stall of
  /// ours.
  func beat(at uptime: Duration, period: Duration) -> Bool { punctuality.beat(at: uptime, period: period) }

  /// There is no session left to beat for. What its batches hold, each flushes itself at its end.
  func rest() {
    open = []
    punctuality.rest()
  }

  /// Whether any beat since `start` was late.
  func wasHeldUp(since start: Duration) -> Bool { punctuality.wasHeldUp(since: start) }
}
