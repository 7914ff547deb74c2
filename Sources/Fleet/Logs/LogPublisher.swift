package import BoardKit
package import Dialects
package import FleetModel
package import Logging
package import Storage

/// What is noticed while logs are published.
package enum LogNotice: Hashable, Sendable {
  /// Entries of loggers that nobody knows, by slot; they stay in the archive.
  case unknownLoggers(BoardID, session: ULID, entries: [Int: Int])
  /// The board was reset so often that some times cannot be reported.
  case ambiguousClock(BoardID, session: ULID, boot: Int)
  /// Samples were left out, because no sensor can measure what they say; the first such value.
  case impossibleValues(BoardID, session: ULID, stream: String, field: String, value: Double, count: Int)
}

/// Publishes boards' logs: from the archive, at its durable cursor, into the outbox, a little at a time.
package actor LogPublisher {
  private let store: Store
  private let dialect: any Dialect
  private let format: LogFormat
  private let timekeeper: any Timekeeper
  private let counters: Counters
  /// Whether the host's clock is set.
  private let isClockSet: @Sendable () -> Bool
  private let grew: @Sendable () async -> Void
  private let notice: @Sendable (LogNotice) async -> Void
  private let published: GatewayEnvironment.Published
  private let log: Logger
  private let waker = TaskWaker()
  private let started: Duration
  private var random: SeededGenerator
  private var reported: Set<LogNotice> = []
  /// Streams of sessions whose impossible values were reported.
  private var reportedImpossible: Set<String> = []

  /// Batches that may wait for the broker: a day's log waits in the archive, not in the outbox.
  static let waitingBatches = 200
  /// Pieces of the archive that are published in one transaction.
  static let pieces = 16
  /// How long times may wait for a clock that is not set yet (fault F47).
  static let clockTimeout = Duration.seconds(3_600)

  /// `grew` is called when the outbox got something.
  package init(
    store: Store, dialect: any Dialect, format: LogFormat, timekeeper: any Timekeeper, counters: Counters,
    log: Logger, seed: UInt64, isClockSet: @escaping @Sendable () -> Bool = { true },
    grew: @escaping @Sendable () async -> Void,
    notice: @escaping @Sendable (LogNotice) async -> Void = { _ in },
    published: @escaping GatewayEnvironment.Published = { _ in }
  ) {
    (self.store, self.dialect, self.format, self.timekeeper) = (store, dialect, format, timekeeper)
    (self.counters, self.log, self.isClockSet) = (counters, log, isClockSet)
    (self.grew, self.notice, self.published) = (grew, notice, published)
    random = SeededGenerator(seed: seed)
    started = timekeeper.uptime
  }

  /// There is something new in the archive. Never waits.
  package nonisolated func archiveGrew() { waker.wake() }

  /// Works until cancelled, or until the store can no longer be trusted.
  package func run() async throws(StoreFailure) {
    while !Task.isCancelled {
      var pause = Duration.seconds(60)
      do throws(StoreFailure) {
        if try await publishAll() { pause = .seconds(1) }
      } catch {
        if error.isFinal { throw error }
        log.warning("logs cannot be published now", metadata: ["reason": "\(error)"])
        pause = .seconds(5)
      }
      await waker.sleep(atMost: pause, by: timekeeper)
    }
  }

  /// Publishes what there is, as far as the outbox should take it. Returns whether something had to stay.
  package func publishAll() async throws(StoreFailure) -> Bool {
    try await publishGaps()
    // While the broker takes nothing, no log is looked at again and again.
    guard try await hasRoom() else { return true }
    var isAnyLeft = false
    for session in try await store.publishing.unpublishedSessions() {
      guard try await hasRoom(), !Task.isCancelled else { return true }
      if try await !publish(session) { isAnyLeft = true }
    }
    return isAnyLeft
  }

  /// A gap is reported by an event as soon as it is known: behind a session's last batch none comes that could tell it.
  private func publishGaps() async throws(StoreFailure) {
    for (id, gap) in try await store.publishing.unpublishedGaps() {
      guard let session = try await store.logs.session(id), let reported = gap.eventFields(of: session) else {
        continue
      }
      var events: [OutgoingMessage] = []
      for fields in reported {
        let event = EventMessage(
          .dataGap, "log", of: .board(session.board), fields: fields, at: timekeeper.now, using: &random)
        events += dialect.messages(for: .happened(event))
      }
      let messages = events.compactMap { OutboxMessage($0, created: timekeeper.now) }
      try await store.publishing.publishGap(messages, of: gap.id)
      published { events }
      await grew()
    }
  }

  /// Returns whether all of the session that can be published is.
  private func publish(_ session: LogSession) async throws(StoreFailure) -> Bool {
    // Without a map its entries say nothing; they wait for one.
    guard !session.streams.isEmpty, let cursor = try await store.publishing.cursor(of: session.id) else {
      return true
    }
    guard
      var lane = LogLane(
        session, format: format, from: cursor, behind: try await store.publishing.earlierLane(of: session.id))
    else {
      log.error(
        "the publishing position of a log cannot be read",
        metadata: ["board": "\(session.board)", "session": "\(session.id)"])
      return true
    }
    let history = BoardHistory(try await store.logs.clockAnchors(of: session.board), timing: format.timing)
    if !isTimeKnown(history) { return false }
    // A reset that shows in what is still to come may change whose run the first entries are.
    if await store.publishing.isReadingOut(session.id), !lane.isCertain(history) { return false }
    let complete = try await store.logs.completeEntries(of: session.id)
    try await scan(&lane, session, upTo: complete)
    lane.judgeScanned(isOver: await !store.publishing.isReadingOut(session.id))
    let gaps = try await store.logs.gaps(of: session.id, after: lane.state.lastGap)
    var known = 0
    while lane.position < lane.scanned {
      guard try await hasRoom(), !Task.isCancelled else { return false }
      let pieces = try await store.publishing.pieces(of: session.id, from: lane.position, limit: Self.pieces)
        .filter { $0.position < lane.scanned }
      guard !pieces.isEmpty else { break }
      let batches = lane.publish(pieces, gaps: gaps, history: history)
      let messages = batches.flatMap { batch in
        dialect.messages(for: .batch(batch)).map { outgoing in
          LogMessage(
            OutboxMessage(
              outgoing.message, as: .event, samples: outgoing.samples, created: timekeeper.now),
            stream: batch.stream, sequence: batch.sequence, gapBefore: batch.gapBefore)
        }
      }
      try await store.publishing.publish(
        messages, of: session.id, upTo: lane.cursor, plotting: batches)
      let leftOut = lane.leftOut.reduce(0) { $0 + $1.count } - known
      known += leftOut
      counters.add(batches.reduce(0) { $0 + $1.count } + leftOut, to: .samplesIn)
      counters.add(leftOut, to: .samplesImpossible)
      await grew()
    }
    await publishNotices(lane, session)
    return complete >= session.stored
  }

  private func hasRoom() async throws(StoreFailure) -> Bool {
    try await store.publishing.waitingBatches() < Self.waitingBatches
  }

  private func isTimeKnown(_ history: BoardHistory) -> Bool {
    history.isTimeKnown || isClockSet() || timekeeper.uptime - started > Self.clockTimeout
  }

  /// The page that is coming in may come again, and otherwise: it waits until it is whole.
  private func scan(
    _ lane: inout LogLane, _ session: LogSession, upTo complete: Int
  ) async throws(StoreFailure) {
    while lane.scanned < min(complete, session.stored) {
      let before = lane.scanned
      let pieces = try await store.publishing.pieces(of: session.id, from: before, limit: Self.pieces)
      lane.scan(pieces.filter { $0.position < complete })
      if lane.scanned == before { break }
    }
  }

  private func publishNotices(_ lane: LogLane, _ session: LogSession) async {
    var notices: [LogNotice] = []
    if !lane.state.unknown.isEmpty {
      notices.append(.unknownLoggers(session.board, session: session.id, entries: lane.state.unknown))
    }
    if lane.isAmbiguous {
      notices.append(.ambiguousClock(session.board, session: session.id, boot: session.boot))
    }
    for one in lane.leftOut where reportedImpossible.insert("\(session.id).\(one.stream)").inserted {
      await notice(
        .impossibleValues(
          session.board, session: session.id, stream: one.stream, field: one.field, value: one.value,
          count: one.count))
    }
    for one in notices where reported.insert(one).inserted { await notice(one) }
  }
}
