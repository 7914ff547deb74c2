import BoardKit
import FleetModel
import Storage

/// What a session knows of its board's log, and how it looks at it. Confined to its session.
final class BoardLog {
  private let context: SessionContext
  /// The run whose entries are, or may be, on the board.
  var run: LogSession?
  private(set) var status: LogStatus?
  /// What is logged by now.
  var logged: [LoggedStream] = []
  /// When the board's clock was last read, and whether it answered what can be.
  private var lastClock: Timestamp?
  private var retries = PollRetries()
  /// The latest reading of the clock, also of earlier links.
  private var anchor: ClockAnchor?
  /// Whether the session has to do with the log at all.
  var isWatched = false
  /// From about when on a full log refused what came; nil when it had room.
  var overflow: Timestamp?

  init(_ context: SessionContext) { self.context = context }

  /// What is to be done about the log; nil before anybody looked at it.
  var plan: LogPlan? {
    let orders = context.orders
    return status.map { status in
      LogPlan(
        wanted: orders.logs.wanted, isCircular: orders.logs.isCircular, made: orders.logs.made,
        status: status, run: run, boot: orders.known.boots.count, cleared: orders.logs.cleared)
    }
  }

  /// Reads clock and log, and keeps the clock's reading.
  @discardableResult
  func readStatus() async throws(ProtocolFailure) -> LogPlan? {
    guard let source = context.driver.logs else { return nil }
    take(try await source.status())
    await keepClock()
    await keepRecycledPages()
    return plan
  }

  /// Counts the entries again, with as few questions as that takes.
  func recount(
    _ source: any LogSource, withClock: Bool, isCleared: Bool = false
  ) async throws(ProtocolFailure) -> LogPlan? {
    guard let known = status else { return try await readStatus() }
    take(try await source.recount(known, withClock: withClock), isCleared: isCleared)
    if withClock { await keepClock() }
    return plan
  }

  /// Takes note of how the log stands.
  func take(_ status: LogStatus, isCleared: Bool = false) {
    self.status = status
    if isCleared { context.orders.logs.cleared = context.now }
    context.intake.note(
      .log(
        LogSnapshot(
          clock: status.clock.clock, entries: plan?.entries ?? status.entries, capacity: status.capacity,
          isLogging: status.isLogging, isCleared: isCleared)))
  }

  /// A run that began behind a read-out learns how many pages were recycled until then.
  private func keepRecycledPages() async {
    guard let run, let pages = plan?.learnedRecycledPages,
      (try? await context.store.logs.update(recycledPages: pages, of: run.id)) != nil
    else { return }
    self.run?.recycledPages = pages
  }

  private func keepClock() async {
    guard let reading = status?.clock else { return }
    lastClock = context.now
    let anchor = ClockAnchor(
      reading, boot: context.orders.known.boots.count,
      isHostTimeKnown: context.environment.isHostTimeKnown())
    await noteJump(to: anchor)
    // Without it times are less certain, and say so.
    try? await context.store.logs.add(anchor, of: context.board)
  }

  /// A clock that jumped without a reset is reported (fault F154).
  private func noteJump(to anchor: ClockAnchor) async {
    var earlier = self.anchor
    if earlier == nil {
      earlier = (try? await context.store.logs.clockAnchorsAtEnds(of: context.board))?.last
    }
    self.anchor = anchor
    guard let earlier, let timing = context.environment.family.logFormat?.timing,
      let jump = ClockJump.duration(from: earlier, to: anchor, timing)
    else { return }
    context.reportEvent(
      .clock, "jump",
      ["boot": .integer(Int64(anchor.boot)), "jump_ms": .integer(jump.wholeMilliseconds)])
  }

  /// Whether the clock is to be read by its schedule.
  var isClockDue: Bool {
    isWatched && retries.allows(Self.clock, at: context.uptime)
      && context.isDue(context.environment.schedules.clock, after: lastClock)
  }

  private static let clock = "schedules.clock"

  /// One that cannot be read is tried again after minutes (fault F187).
  func readClock() async {
    do throws(ProtocolFailure) {
      try await readStatus()
      retries.ended(Self.clock)
    } catch {
      _ = retries.failed(Self.clock, at: context.uptime)
      giveUp(error)
    }
  }

  /// A board that answered something that cannot be, or fell silent.
  func giveUp(_ failure: ProtocolFailure) {
    if case .unexpected(let what) = failure {
      context.intake.note(.logTrouble("unexpected answer of the board's logging module: \(what)"))
    } else {
      context.fail(because: failure)
    }
  }
}
