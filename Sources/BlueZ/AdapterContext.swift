import EventLoops
import FleetModel

/// What the radio keeps for one adapter while BlueZ has it. Confined to the radio; an adapter that returns gets a
/// new one.
final class AdapterContext {
  var plan: AdapterPlan
  /// Woken when the plan should be asked again.
  let waker: LoopWaker
  /// Connections under way, for which discovery pauses.
  private var pauses = 0
  private var turns: [(id: UInt64, waker: LoopWaker)] = []
  private var lastTurn: UInt64 = 0

  init(policy: BlueZPolicy, loop: EventLoop) {
    plan = AdapterPlan(policy: policy)
    waker = LoopWaker(on: loop)
  }

  var isPaused: Bool { pauses > 0 }

  /// An advertisement came over the adapter.
  func received(at now: Duration) { if plan.received(now: now) { waker.wake() } }

  func pause() {
    pauses += 1
    waker.wake()
  }

  func resume() {
    pauses -= 1
    waker.wake()
  }

  /// Queues for the adapter, which makes one connection at a time. `waker` wakes when it may be this one's turn.
  func enqueue(_ waker: LoopWaker) -> UInt64 {
    lastTurn &+= 1
    turns.append((lastTurn, waker))
    return lastTurn
  }

  /// Those who wait, and the one whose turn it is.
  var queueLength: Int { turns.count }

  func isTurn(_ turn: UInt64) -> Bool { turns.first?.id == turn }

  func leave(_ turn: UInt64) {
    guard let index = turns.firstIndex(where: { $0.id == turn }) else { return }
    turns.remove(at: index)
    if index == 0 { turns.first?.waker.wake() }
  }
}
