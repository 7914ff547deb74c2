import FleetModel

/// How many boards of a rollout are how far. All of them add up to `total`.
struct RolloutCounts: Hashable, Sendable {
  private(set) var total = 0
  private(set) var done = 0
  private(set) var failed = 0
  private(set) var stranded = 0
  /// Not begun, or to be begun again.
  private(set) var pending = 0
  private(set) var running = 0
  /// Not begun, and not to be begun any more.
  private(set) var skipped = 0
  /// Without a build that fits.
  private(set) var refused = 0

  init(_ rollout: Rollout) {
    refused = rollout.plan.refusals.count
    total = refused + rollout.members.count
    for member in rollout.members.values {
      switch member.state {
      case .waiting: pending += 1
      case .running: running += 1
      case .overdue, .failed: failed += 1
      case .done: done += 1
      case .stranded: stranded += 1
      case .skipped: skipped += 1
      }
    }
  }

  /// As they are published.
  var counts: [RolloutCount: Int] {
    [
      .total: total, .done: done, .failed: failed, .stranded: stranded, .pending: pending,
      .running: running, .skipped: skipped, .refused: refused,
    ]
  }
}
