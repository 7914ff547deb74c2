import FleetModel

/// Whether a readable request that is not a repeat may run: permission, meaning, expiry, room, rate. Pure; the order is
/// the contract's (section 6).
struct CommandAdmission: Sendable {
  /// A command that may run.
  struct Admitted: Sendable {
    var intent: Intent
    /// To be given back when the command is over.
    var place: CommandCapacity.Place
  }

  /// May change while commands wait; those stay admitted.
  var limits: CommandLimits
  private var room = CommandCapacity()
  private var rate = CommandRateLimit()

  init(limits: CommandLimits) { self.limits = limits }

  /// Checks a request for a target that stands so, and books its place.
  mutating func admit(
    _ request: CommandRequest, _ status: TargetStatus = TargetStatus(), at now: Timestamp,
    uptime: Duration
  ) throws(CommandFailure) -> Admitted {
    let intent = try judge(request, status, at: now)
    let place = try room.take(for: request, status, limits: limits, at: uptime, now)
    if let stay = rate.take(
      intent.commandCount, for: request.target, perMinute: limits.perMinute, at: uptime)
    {
      room.leave(place, at: uptime)
      throw CommandFailure(
        .busy,
        "more than \(limits.perMinute) commands a minute; try again in \(DurationText.roundedUp(stay))",
        retryAfter: stay)
    }
    return Admitted(intent: intent, place: place)
  }

  /// Checks a request that was accepted before the gateway was restarted: it has its place, and is not counted twice.
  mutating func admitAgain(
    _ request: CommandRequest, _ status: TargetStatus = TargetStatus(), at now: Timestamp,
    uptime: Duration
  ) throws(CommandFailure) -> Admitted {
    let intent = try judge(request, status, at: now)
    return Admitted(intent: intent, place: room.reserve(for: request, on: status.adapter, at: uptime))
  }

  /// A place for a group's job that was accepted before; its members are judged each by itself.
  mutating func reserve(_ job: CommandRequest, at uptime: Duration) -> CommandCapacity.Place {
    room.reserve(for: job, on: nil, at: uptime)
  }

  /// Gives a place back. Repeating it does nothing.
  mutating func finished(_ place: CommandCapacity.Place, at uptime: Duration) {
    room.leave(place, at: uptime)
  }

  private func judge(
    _ request: CommandRequest, _ status: TargetStatus, at now: Timestamp
  ) throws(CommandFailure) -> Intent {
    if case .group(let name) = request.target {
      try GroupRules.check(request, of: name, status.members, limits.permissions)
    } else {
      try limits.permissions.check(request, in: status.groups)
    }
    let intent = try request.interpret()
    if case .board = request.target { try intent.checkStream(among: status.chains) }
    if case .group = request.target {
      for command in [request] + request.commandsOfBatch {
        try GroupRules.check(arguments: command.arguments)
      }
      _ = try JobLimits(request.job)
    }
    let isForGateway = if case .board = intent { false } else { true }
    if isForGateway {
      guard request.mode == .now else { throw .invalid("gateways accept mode now only; leave mode out") }
      guard request.job == nil else {
        throw .invalid("\(request.verb) has options of its own; leave job out")
      }
    }
    guard now.isPlausible || !request.isExpiryGiven else {
      throw CommandFailure(
        .expired,
        "the gateway's clock is not set, so it cannot tell whether expires_ms is over; leave it out")
    }
    guard now < request.expires else {
      let late = DurationText.rounded(now - request.expires)
      throw CommandFailure(.expired, "the request expired \(late) ago; send it again")
    }
    return intent
  }
}
