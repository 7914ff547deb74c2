/// Hears what is carried out, and when by the time of the simulation.
package typealias OrderSink = @Sendable (FaultOrder, Duration) -> Void

/// Faults that are to happen, in order of time, and what makes them good again. Of two at the same time the one that
/// was asked for first comes first; what boards get into by themselves comes before both.
struct FaultSchedule: Sendable {
  private var orders: [FaultOrder] = []
  private var randomFaults: RandomFaults?
  private var nextFault: FaultOrder?

  init(randomFaults: RandomFaults? = nil) { self.randomFaults = randomFaults }

  /// From now on boards get random faults.
  mutating func start(at now: Duration) {
    nextFault = randomFaults?.next().map { FaultOrder($0.fault, on: [$0.board], at: now + $0.pause) }
  }

  mutating func add(_ order: FaultOrder) {
    insert(order)
    guard let lasts = order.lasts, let remedy = order.fault.remedy else { return }
    insert(FaultOrder(remedy, on: order.boards, at: order.at + lasts))
  }

  private mutating func insert(_ order: FaultOrder) {
    orders.insert(order, at: orders.firstIndex { $0.at > order.at } ?? orders.endIndex)
  }

  /// When the next one is due.
  var next: Duration? { [nextFault?.at, orders.first?.at].compactMap(\.self).min() }

  mutating func popDue(at now: Duration) -> FaultOrder? {
    if let nextFault, nextFault.at <= now {
      start(at: now)
      return nextFault
    }
    guard let order = orders.first, order.at <= now else { return nil }
    orders.removeFirst()
    return order
  }
}
