import FleetModel

/// When the sender of a command that waits for the next contact is told when that is planned: at first, and again when
/// the plan moved by more than a minute and by more than a tenth of the time that is left. Pure.
struct QueueNotice: Hashable, Sendable {
  private static let slack = Duration.seconds(60)
  private var wasTold = false
  private var told: Timestamp?

  /// Whether `eta`, nil = nothing is planned, is to be told now.
  mutating func tells(_ eta: Timestamp?, at now: Timestamp) -> Bool {
    guard wasTold else {
      (wasTold, told) = (true, eta)
      return true
    }
    guard let eta, eta != told else { return false }
    if let told {
      let moved = max(eta - told, told - eta)
      guard moved > max(Self.slack, (eta - now) / 10) else { return false }
    }
    told = eta
    return true
  }
}
