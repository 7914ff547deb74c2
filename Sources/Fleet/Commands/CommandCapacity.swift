import FleetModel

/// How many commands wait or run, by target and by adapter, and when there will be room again. Pure.
struct CommandCapacity: Sendable {
  /// A place that was taken. To be given back when the command is over.
  struct Place: Hashable, Sendable {
    fileprivate var number: Int
    var target: CommandTarget
    fileprivate var adapter: AdapterID?
  }

  /// Those of one target, or of one adapter.
  private struct Line {
    var expiries: [Int: Timestamp] = [:]
    /// Since when somebody is always there; when the last one left.
    var since = Duration.zero
    /// How long one takes, smoothed; nil while nobody has left.
    var pace: Duration?
    /// Until when places are promised to those who were sent away.
    var promised = Duration.zero

    var count: Int { expiries.count }

    mutating func enter(_ number: Int, expires: Timestamp, at now: Duration) {
      if expiries.isEmpty { since = now }
      expiries[number] = expires
    }

    mutating func leave(_ number: Int, at now: Duration) -> Bool {
      guard expiries.removeValue(forKey: number) != nil else { return false }
      let latest = now - since
      pace = max(latest, ((pace ?? latest) * 3 + latest) / 4)
      since = now
      return true
    }

    /// How long the next one has to stay away. Half as much again as one takes; where the board is not there, until it
    /// is expected, or the first that waits must have ended.
    mutating func promise(_ status: TargetStatus, at now: Duration, _ time: Timestamp) -> Duration {
      var one = (pace ?? CommandCapacity.usualPace) * 3 / 2
      if !status.isReachable {
        let contact = status.nextContact.flatMap { $0 > time ? $0 : nil }
        one = [expiries.values.min(), contact].compactMap { $0 }.min().map { $0 - time } ?? one
      }
      one = max(CommandCapacity.shortestStay, one)
      promised = max(now + one, promised + (status.isReachable ? one : CommandCapacity.shortestStay))
      promised = min(promised, now + max(one, .seconds(60)))
      return promised - now
    }
  }

  private static let shortestStay = Duration.milliseconds(100)
  /// What a command is believed to take while none has ended.
  private static let usualPace = Duration.seconds(1)
  private var targets: [CommandTarget: Line] = [:]
  private var adapters: [AdapterID?: Line] = [:]
  private var number = 0

  /// Takes a place, or throws `busy` with a time to come again.
  ///
  /// The fuller an adapter's queue is, the less of it one board may have: whoever floods it leaves room for the others
  /// (fault F86).
  mutating func take(
    for request: CommandRequest, _ status: TargetStatus, limits: CommandLimits, at now: Duration,
    _ time: Timestamp
  ) throws(CommandFailure) -> Place {
    let own = targets[request.target]?.count ?? 0
    var isAdapterFull = false
    if case .board = request.target {
      isAdapterFull = own >= max(0, limits.queuePerAdapter - (adapters[status.adapter]?.count ?? 0))
    }
    guard own < limits.queuePerBoard, !isAdapterFull else {
      let isOwnFull = own >= limits.queuePerBoard || own > 0
      let stay =
        isOwnFull
        ? targets[request.target, default: Line()].promise(status, at: now, time)
        : adapters[status.adapter, default: Line()].promise(TargetStatus(), at: now, time)
      let count = isOwnFull ? own : adapters[status.adapter]?.count ?? 0
      throw CommandFailure(
        .busy,
        "\(CountText.of(count, "command")) waiting already; try again in \(DurationText.roundedUp(stay))",
        retryAfter: stay)
    }
    return reserve(for: request, on: status.adapter, at: now)
  }

  /// Takes a place for a command that was accepted before, whether there is room or not.
  mutating func reserve(for request: CommandRequest, on adapter: AdapterID?, at now: Duration) -> Place {
    number += 1
    let place = Place(number: number, target: request.target, adapter: adapter)
    targets[request.target, default: Line()].enter(number, expires: request.expires, at: now)
    // Jobs and gateways are on no adapter.
    if case .board = request.target {
      adapters[adapter, default: Line()].enter(number, expires: request.expires, at: now)
    }
    return place
  }

  /// Gives a place back. Repeating it does nothing.
  mutating func leave(_ place: Place, at now: Duration) {
    _ = adapters[place.adapter]?.leave(place.number, at: now)
    guard targets[place.target]?.leave(place.number, at: now) == true else { return }
    // What is empty is forgotten, so that nothing grows with the names of targets.
    if targets[place.target]?.count == 0 { targets[place.target] = nil }
  }
}
