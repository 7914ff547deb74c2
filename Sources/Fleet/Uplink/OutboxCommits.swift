import FleetModel
import Storage

/// What waits in memory for the disk, and its way there: one transaction at a time. Confined to its uplink.
final class OutboxCommits {
  private let environment: UplinkEnvironment
  var unpersisted = UnpersistedMessages()
  private(set) var disk = CommitSchedule()
  /// Sessions that the disk does not know to have begun, or to be over.
  private var marks = StreamCheckpoints()

  init(_ environment: UplinkEnvironment) { self.environment = environment }

  private var uptime: Duration { environment.uptime }

  /// What a commit has brought.
  struct Committed {
    /// Rows that are there now and wait for the broker.
    let waiting: [OutboxRow]
    /// Rows that are there now and went out meanwhile: the broker has them.
    let said: [OutboxRow.ID]
    /// What is to be published.
    let changes: [UplinkChange]
  }

  /// Whether everything that came is on the disk.
  var isKept: Bool {
    unpersisted.waiting.isEmpty && unpersisted.kept.isEmpty && marks.isEmpty && !disk.isCommitting
  }

  /// Something waits for the next commit, `span` at most. Returns whether that is earlier than was known.
  func schedule(within span: Duration) -> Bool { disk.schedule(at: uptime + span) }

  /// Takes note of a session of a stream that began or is over.
  func note(_ mark: StreamCheckpoint) {
    marks.note(mark)
    if case .ended(let session) = mark { unpersisted.kept.end(session) }
  }

  /// Looks what the disk has room for, before each commit: it owes an answer from then on until that is done.
  func look() async throws(StoreFailure) {
    disk.asked(at: uptime)
    let room: DiskRoom
    do throws(StoreFailure) { room = try await environment.store.room } catch {
      disk.answered()
      throw error
    }
    if let change = disk.checked(room) { await environment.handlers.connection(change) }
  }

  /// Takes what waits to the disk, and notes there which rows the broker has: one transaction, one wait for the disk.
  /// Who `isLast` waits for no more samples to keep.
  func commit(_ answered: [OutboxRow.ID], isLast: Bool) async throws(StoreFailure) -> Committed {
    defer { disk.answered() }
    let rows = unpersisted.take(piece: disk.room.piece, isLow: disk.isLow)
    let unrecorded = unpersisted.takeUnrecorded()
    let samples = unpersisted.kept.take(at: uptime, isLow: disk.isLow, isLast: isLast)
    environment.counters.add(unpersisted.kept.takeDropped(), to: .keptDropped)
    let marks = marks.take(sparing: unpersisted.openSessions)
    let began = uptime
    disk.commitBegan()
    do throws(StoreFailure) {
      try await keepBirth()
      // Nothing to write proves nothing.
      if disk.refusal != nil, rows.isEmpty, answered.isEmpty { try await environment.store.probe() }
      let kept = try await environment.store.outbox.exchange(
        rows, forDelivered: answered, streams: marks, recording: unrecorded, keeping: samples,
        at: environment.now)
      environment.counters.distributions.note(uptime - began, in: .commitTime)
      environment.counters.add(kept.samples, to: .samplesPublished)
      let written = zip(kept.rows, rows).map { OutboxRow(id: $0, message: $1) }
      let said = unpersisted.written()
      return Committed(
        waiting: written.enumerated().filter { !said.contains($0.offset) }.map(\.element),
        said: written.enumerated().filter { said.contains($0.offset) }.map(\.element.id),
        changes: disk.committed(at: uptime))
    } catch {
      // All of it waits for better times: it has its numbers.
      unpersisted.notWritten()
      unpersisted.putBack(unrecorded: unrecorded)
      unpersisted.kept.putBack(samples, after: error)
      self.marks.takeBack(marks)
      throw error
    }
  }

  private func keepBirth() async throws(StoreFailure) {
    guard let birth = unpersisted.birth else { return }
    try await environment.store.births.keep(birth)
    if unpersisted.birth == birth { unpersisted.birth = nil }
  }

  /// Schedules what a commit has left. A disk in trouble is looked at again, though nobody has anything to store.
  func scheduleRest() {
    guard !unpersisted.waiting.isEmpty || disk.refusal != nil else { return }
    let canSend = unpersisted.waiting.contains { !disk.isLow || $0.deliveryClass != .record }
    _ = schedule(within: canSend ? .zero : CommitSchedule.retryPause)
  }

  /// The disk took nothing.
  func refused(_ failure: StoreFailure) async {
    if let change = disk.refused(failure, at: uptime) { await environment.handlers.connection(change) }
  }

  /// Rows of the disk that wait to go out, at most so many.
  func waitingRows(
    limit: Int, excluding away: Set<OutboxRow.ID>
  ) async throws(StoreFailure) -> [OutboxRow] {
    disk.asked(at: uptime)
    defer { disk.answered() }
    return try await environment.store.outbox.waiting(limit: limit, excluding: away)
  }
}
