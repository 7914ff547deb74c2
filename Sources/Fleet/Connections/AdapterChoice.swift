import FleetModel

/// Over which adapter a board is connected, or until when that is left open. Pure.
///
/// The adapter that receives a board best carries it. So others get a moment to receive it, too; and where the best one
/// is busy or full, it is waited for, unless another is nearly as good or that takes too long.
enum AdapterChoice: Hashable, Sendable {
  /// Over this one, now.
  case use(AdapterID)
  /// Over none as yet; nothing changes before `until`, by uptime, unless something happens. Nil: until something does.
  case wait(until: Duration?)

  /// How long other adapters have to receive a board after the first one did.
  static let listening = Duration.seconds(3)
  /// How long the best adapter is waited for where another one is free.
  static let waiting = Duration.seconds(20)
  /// A difference in dBm that is not worth waiting for.
  static let tolerance = 3

  /// The choice for `request` among `adapters`, of whom some have `heard` the board.
  init(
    for request: ConnectionSlotPlan.Request, heard: HeardBoard?,
    among adapters: [AdapterID: ConnectionSlotPlan.Adapter], at now: Duration
  ) {
    let usable = adapters.filter { $0.value.isUsable && (request.pin == nil || request.pin == $0.key) }
    guard let heard else {
      self = .wait(until: nil)
      return
    }
    let ranked = heard.adapters(at: now).compactMap { id in usable[id].map { (id, $0) } }.sorted {
      left, right in
      let (a, b) = (heard.strength(by: left.0, at: now), heard.strength(by: right.0, at: now))
      if a != b { return a > b }
      let (m, n) = (left.1.links.count, right.1.links.count)
      return m != n ? m < n : left.0 < right.0
    }
    guard let best = ranked.first?.0 else {
      self = .wait(until: nil)
      return
    }
    let listened = heard.since + Self.listening
    if ranked.count < usable.count, now < listened {
      self = .wait(until: listened)
      return
    }
    let free = ranked.filter { $0.1.isFree(at: now) }.map(\.0)
    guard let nearest = free.first else {
      self = .wait(until: ranked.compactMap { $0.1.freeAgain(after: now) }.min())
      return
    }
    let difference = heard.strength(by: best, at: now) - heard.strength(by: nearest, at: now)
    let waited = request.since + Self.waiting
    self = difference <= Self.tolerance || now >= waited ? .use(nearest) : .wait(until: waited)
  }
}
