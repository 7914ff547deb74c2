import FleetModel

/// Which link gives way where an adapter is full and a board has waited for too long (fault F22). Pure.
enum PreemptionRule {
  /// A link that was made for so short a time is left alone, so that links do not chase each other.
  static let shortestUse = Duration.seconds(60)

  /// How long a board waits before another gives way to it.
  static func leastWait(for purpose: ConnectionSlotPlan.Purpose) -> Duration {
    switch purpose {
    case .command: .seconds(5)
    case .download, .update: .seconds(60)
    case .stream, .poll: ConnectionSlotPlan.longestWait
    }
  }

  /// The board whose link over `adapter` gives way to `request`: the least urgent, of equals the one connected for
  /// longest. Nil where none does, or another already has to. Whoever has waited for too long comes before links of its
  /// own purpose and of more urgent ones, but never before a command's.
  static func yields(
    to request: ConnectionSlotPlan.Request, on adapter: ConnectionSlotPlan.Adapter, at now: Duration
  ) -> BoardID? {
    guard adapter.isUsable, adapter.connecting == nil, adapter.yielding == nil,
      !adapter.isUpdating, adapter.links.count >= adapter.places,
      now - request.since >= leastWait(for: request.purpose)
    else { return nil }
    let isOverdue = now - request.since >= ConnectionSlotPlan.longestWait
    return adapter.uses.filter { _, use in
      now - use.since >= shortestUse
        && (use.purpose > request.purpose || isOverdue && use.purpose != .command)
    }.min { left, right in
      let (a, b) = (left.value, right.value)
      if a.purpose != b.purpose { return a.purpose > b.purpose }
      return a.since != b.since ? a.since < b.since : left.key < right.key
    }?.key
  }
}
