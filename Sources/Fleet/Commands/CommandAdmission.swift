import FleetModel

/// Whether a readable request that is not a repeat may run: meaning, expiry, room. Pure; the order is the
/// contract's (section 6).
struct CommandAdmission: Sendable {
  /// May change while commands wait; those stay admitted.
  var limits: CommandLimits
  private var running: [CommandTarget: Int] = [:]
  private var total = 0

  init(limits: CommandLimits) { self.limits = limits }

  /// Checks a request for a board that is in `groups` and shall have `chains`, and books its place. `finished` gives the
  /// place back.
  mutating func admit(
    _ request: CommandRequest, in groups: [String] = [], having chains: Set<String> = [], at now: Timestamp
  ) throws(CommandFailure) -> Intent {
    try limits.permissions.check(request, in: groups)
    let intent = try request.interpret()
    try intent.checkStream(among: chains)
    if case .gateway = request.target, request.mode == .queue {
      throw .invalid("gateways take mode now only")
    }
    guard now < request.expires else {
      let late = DurationText.format(now - request.expires)
      throw CommandFailure(.expired, "the request arrived \(late) after it expired; send a new one")
    }
    let isFull =
      if case .board = request.target {
        running[request.target, default: 0] >= limits.queuePerBoard || total >= limits.queuePerAdapter
      } else {
        running[request.target, default: 0] >= limits.queuePerBoard
      }
    if isFull {
      throw CommandFailure(
        .busy, "\(running[request.target, default: 0]) commands wait already; try again later",
        retryAfter: .seconds(2))
    }
    running[request.target, default: 0] += 1
    total += 1
    return intent
  }

  mutating func finished(_ target: CommandTarget) {
    guard let count = running[target] else { return }
    running[target] = count > 1 ? count - 1 : nil
    total -= 1
  }
}

/// At most ten refusals a second are answered per gateway; the rest is counted (MQTT contract 3.1).
struct RefusalBudget: Sendable {
  static let perSecond = 10
  /// When the last of them were answered, oldest first.
  private var answered: [Duration] = []

  mutating func allows(at uptime: Duration) -> Bool {
    if answered.count == Self.perSecond {
      guard uptime - answered[0] >= .seconds(1) else { return false }
      answered.removeFirst()
    }
    answered.append(uptime)
    return true
  }
}
