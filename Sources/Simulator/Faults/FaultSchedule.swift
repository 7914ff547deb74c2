/// Faults that are to happen, in order of time, and what makes them good again. Of two at the same time the one that
/// was asked for first comes first.
struct FaultSchedule: Sendable {
  private var orders: [FaultOrder] = []

  mutating func add(_ order: FaultOrder) {
    insert(order)
    guard let lasts = order.lasts, let remedy = order.fault.remedy else { return }
    insert(FaultOrder(remedy, on: order.boards, at: order.at + lasts))
  }

  private mutating func insert(_ order: FaultOrder) {
    orders.insert(order, at: orders.firstIndex { $0.at > order.at } ?? orders.endIndex)
  }

  /// When the next one is due.
  var next: Duration? { orders.first?.at }

  mutating func popDue(at now: Duration) -> FaultOrder? {
    guard let order = orders.first, order.at <= now else { return nil }
    orders.removeFirst()
    return order
  }
}
