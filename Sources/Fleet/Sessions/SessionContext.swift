import BoardKit
import FleetModel
import Storage

/// What the parts of a session share: the board on this link, what is ordered of it, what waits for its turn with it,
/// and how to tell of it. Confined to its session.
final class SessionContext {
  let board: BoardID
  var environment: SessionEnvironment
  let conversation: Conversation
  let driver: any BoardDriver
  let intake: PacketIntake
  var orders: SessionOrders
  private var work = WorkQueue()
  /// Woken when there is something to do, or nothing more to be done.
  let workWaker = TaskWaker()
  private var random: SeededGenerator

  init(link: any BoardLink, orders: SessionOrders, environment: SessionEnvironment) {
    board = link.board
    self.orders = orders
    self.environment = environment
    conversation = Conversation(link: link, timekeeper: environment.timekeeper)
    driver = environment.family.makeDriver(conversation)
    let shared = environment.ticker.intake
    intake = PacketIntake(
      board: board, conversation: conversation, driver: driver, counters: environment.counters,
      timekeeper: environment.timekeeper, shared: shared)
    intake.ends = orders.known.ends
    conversation.wasStalled = { shared.wasStalled(since: $0) }
    random = SeededGenerator(seed: environment.seed)
  }

  var uptime: Duration { environment.timekeeper.uptime }
  var now: Timestamp { environment.timekeeper.now }
  var store: Store { environment.store }

  /// An identifier of this moment.
  func makeID() -> ULID { ULID(at: now, using: &random) }

  /// When something is due by a schedule that was last met at `last`; nil = never.
  func dueTime(_ schedule: ScheduleRule, after last: Timestamp?) -> Timestamp? {
    schedule.due(after: last, now: now, in: environment.timeZone, of: "\(board)")
  }

  /// Whether something is due by a schedule that was last met at `last`.
  func isDue(_ schedule: ScheduleRule, after last: Timestamp?) -> Bool {
    dueTime(schedule, after: last).map { $0 <= now } ?? false
  }
}

// The link's end.
extension SessionContext {
  /// Why the link has ended; nil while it is up.
  var end: LinkFailure? { conversation.ending }

  /// The link has ended, or talking to the board has become pointless.
  func end(because failure: LinkFailure) {
    guard end == nil else { return }
    conversation.end(because: failure)
    intake.expireWaits(at: nil)
    workWaker.wake()
  }

  /// The board did not say what it has to.
  func fail(because failure: ProtocolFailure) { end(because: failure.linkFailure) }

  /// What became of a command during which the link ended.
  var linkOutcome: CommandOutcome {
    .unknown(
      message: "the connection was lost while the command was running: \(end?.message ?? "no reason given")")
  }
}

// One thing at a time.
extension SessionContext {
  /// Queues something for the board.
  func enqueue(_ unit: SessionTask) {
    guard end == nil else { return unit.abandon(because: end) }
    if work.append(unit) { workWaker.wake() }
  }

  /// Says what the contact is for; all else goes before it.
  func enqueue(_ agenda: VisitAgenda) {
    work.add(agenda)
    workWaker.wake()
  }

  func nextWork() -> SessionTask? { work.next() }

  /// The link ended before all had its turn.
  func abandonWork() {
    for unit in work.takeAll() { unit.abandon(because: end) }
  }
}

// Reports to the supervisor.
extension SessionContext {
  /// Reports at once.
  func report(_ report: SessionReport) async { await environment.report(report) }

  /// Reports an event with the next reports.
  func reportEvent(_ kind: EventKind, _ type: String, _ fields: JSONObject) {
    intake.note(.event(.happened(kind, type, fields), at: now))
  }

  /// Counts and reports that a reading which was due brought nothing.
  func reportMissed(_ poll: String, due: Timestamp?, because failure: CommandFailure?) {
    environment.counters.add(to: .contactsMissed)
    intake.note(.missedPoll(.missed(poll: poll, due: due ?? now, now: now, because: failure?.message)))
  }

  /// Reports what was noted until now.
  func flushReports() async {
    await intake.sendReports(environment.report)
  }
}

extension PacketIntake {
  /// Sends what was noted, one by one: several tasks of a session do so, and while one of them waits for a report to be
  /// taken another may send what was noted since. Whatever is noted later is sent later.
  func sendReports(_ send: (SessionReport) async -> Void) async {
    while let report = takeReport() { await send(report) }
  }
}
