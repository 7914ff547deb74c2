import EventLoops
import FleetModel

/// What the radio keeps for one adapter while BlueZ has it. Confined to the radio; an adapter that returns gets a
/// new one.
final class AdapterKeeper {
  var plan: AdapterPlan
  /// Rung when the plan should be asked again.
  let bell: Bell
  /// Connections under way, for which discovery pauses.
  private var pauses = 0
  private var turns: [(id: UInt64, bell: Bell)] = []
  private var lastTurn: UInt64 = 0

  init(policy: BlueZPolicy, loop: EventLoop) {
    plan = AdapterPlan(policy: policy)
    bell = Bell(on: loop)
  }

  var isPaused: Bool { pauses > 0 }

  func pause() {
    pauses += 1
    bell.ring()
  }

  func resume() {
    pauses -= 1
    bell.ring()
  }

  /// Queues for the adapter, which makes one connection at a time. `bell` is rung when it may be this one's turn.
  func enqueue(_ bell: Bell) -> UInt64 {
    lastTurn &+= 1
    turns.append((lastTurn, bell))
    return lastTurn
  }

  /// Those who wait, and the one whose turn it is.
  var queueLength: Int { turns.count }

  func isTurn(_ turn: UInt64) -> Bool { turns.first?.id == turn }

  func leave(_ turn: UInt64) {
    guard let index = turns.firstIndex(where: { $0.id == turn }) else { return }
    turns.remove(at: index)
    if index == 0 { turns.first?.bell.ring() }
  }
}
