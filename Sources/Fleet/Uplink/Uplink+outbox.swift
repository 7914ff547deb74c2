import Dialects
import FleetModel
import Logging
import Storage

/// The outbox: into it, and out of it to the broker.
extension Uplink {
  func queueAgain(_ outgoing: OutgoingMessage) {
    guard let deliveryClass = outgoing.deliveryClass else { return }
    let row = OutboxMessage(
      outgoing.message, as: deliveryClass, samples: outgoing.samples, created: timekeeper.now)
    keep(row)
  }

  /// Holds a row for the next commit.
  func keep(_ row: OutboxMessage) {
    pending.append(row)
    pendingBytes += row.payload.count
    scheduleCommit(for: row)
  }

  /// Takes note of a session of a stream that began or is over, with the next commit.
  func note(_ mark: StreamMark) {
    marks.note(mark)
    scheduleCommit(within: Self.commitSpan)
  }

  /// The next commit is at once, for what is kept as for the note that it arrived: what is not noted is sent again after
  /// a crash. Records wait for each other.
  private func scheduleCommit(for message: OutboxMessage) {
    scheduleCommit(within: message.priority == .record ? Self.commitSpan : .zero)
  }

  private func scheduleCommit(within span: Duration) {
    let due = timekeeper.uptime + span
    guard commitDue.map({ $0 > due }) ?? true else { return }
    commitDue = due
    outboxAlarm.ring()
  }

  /// Commits what waits, hands over what may go, until cancelled.
  func keepOutbox() async -> StoreFailure? {
    while !Task.isCancelled {
      var pause: Duration?
      do throws(StoreFailure) {
        if let due = commitDue, due <= timekeeper.uptime || isStopping, retryAt <= timekeeper.uptime {
          try await commit()
        }
      } catch {
        if error.isFinal { return error }
        await storageRefused(error)
      }
      // What is on the disk goes out, whether or not the disk takes more.
      do throws(StoreFailure) { pause = try await drain() } catch {
        if error.isFinal { return error }
        await storageRefused(error)
        pause = Self.retryPause
      }
      let due = commitDue.map { max($0, retryAt) - timekeeper.uptime }
      await outboxAlarm.sleep(atMost: [pause, due].compactMap(\.self).min(), by: timekeeper)
    }
    return nil
  }

  /// Takes what waits to the disk, and notes there what the broker has: one transaction, one wait for the disk.
  private func commit() async throws(StoreFailure) {
    try await lookForRoom()
    let (rows, answered) = (takeRows(), settled)
    let marks = marks.take(sparing: Set(pending.compactMap(\.continues?.session)))
    settled.removeAll(keepingCapacity: true)
    settling.formUnion(answered)
    defer { settling.subtract(answered) }
    commitDue = nil
    commitStarted = timekeeper.uptime
    defer { commitStarted = nil }
    do throws(StoreFailure) {
      if let unkept = unkeptBirth {
        try await store.keep(birth: unkept)
        if unkeptBirth == unkept { unkeptBirth = nil }
      }
      // Nothing to write proves nothing.
      if refusal != nil, rows.isEmpty, answered.isEmpty { try await store.probe() }
      let samples = try await store.exchange(
        rows, forDelivered: answered, streams: marks, at: timekeeper.now)
      counters.add(samples, to: .samplesPublished)
      pace.entered(rows.count)
      if !rows.isEmpty { hasWaiting = true }
      for row in rows where row.isRetained { superseded.remove(row.topic) }
      let took = commitStarted.map { timekeeper.uptime - $0 } ?? .zero
      if (took > (isSlow ? Self.commitPatience : Self.commitPatience * 2)) != isSlow {
        isSlow.toggle()
        await handlers?.connection(.slow(isSlow))
      }
      let condition = room.condition(after: refusal)
      if condition != refusal {
        refusal = condition
        await handlers?.connection(.storage(condition))
      }
      // Dropped samples are told once there is room for more of them.
      await tellLosses(isOver: pendingBytes <= Self.pendingLimit)
      // A disk in trouble is looked at again, though nobody has anything to store.
      if !pending.isEmpty || refusal != nil {
        let hasNews = pending.contains { !isStorageLow || $0.priority != .record }
        commitDue = timekeeper.uptime + (hasNews ? .zero : Self.retryPause)
      }
    } catch {
      // All of it waits for better times: it has its numbers.
      pending = rows + pending
      pendingBytes = pending.reduce(0) { $0 + $1.payload.count }
      settled = answered + settled
      self.marks.takeBack(marks)
      throw error
    }
  }

  /// How long to wait for a disk that refused.
  private static let retryPause = Duration.seconds(1)

  /// What the next transaction takes, in order; no samples while too little is left of the disk. What gathered while it
  /// refused goes piece by piece: it must not fill it at one blow.
  private func takeRows() -> [OutboxMessage] {
    pending = refusedDirect + pending
    refusedDirect = []
    var (rows, left): ([OutboxMessage], [OutboxMessage]) = ([], [])
    if pendingBytes <= room.piece, !isStorageLow {
      swap(&rows, &pending)
      pendingBytes = 0
      return rows
    }
    var size = 0
    for row in pending {
      let isTaken = size <= room.piece && !(isStorageLow && row.priority == .record)
      if isTaken { rows.append(row) } else { left.append(row) }
      if isTaken { size += row.payload.count }
    }
    pending = left
    pendingBytes = left.reduce(0) { $0 + $1.payload.count }
    return rows
  }

  /// Whether samples may go to the disk, or what is left of it is kept for replies, state and events.
  private func lookForRoom() async throws(StoreFailure) {
    room = try await store.room
    guard isStorageLow, refusal == nil else { return }
    refusal = .low
    await handlers?.connection(.storage(.low))
  }

  private func storageRefused(_ failure: StoreFailure) async {
    retryAt = timekeeper.uptime + Self.retryPause
    commitDue = min(commitDue ?? retryAt, retryAt)
    let isNews = refusal != failure
    refusal = failure
    if isNews { await handlers?.connection(.storage(failure)) }
    await tellLosses(isOver: false)
    await sayFromMemory()
  }

  /// Hands over what the window and the pace allow. Returns how long to wait when only the pace holds it back.
  private func drain() async throws(StoreFailure) -> Duration? {
    while connection != nil, window.room > 0, hasWaiting {
      let allowance = pace.allowance(at: timekeeper.uptime)
      guard allowance > 0 else { return pace.wait }
      let away = window.underWay.union(settled).union(settling)
      let limit = min(window.room, allowance)
      // Before the look: what comes in meanwhile says so again.
      hasWaiting = false
      let rows: [OutboxRow]
      do throws(StoreFailure) { rows = try await store.waiting(limit: limit, excluding: away) } catch {
        hasWaiting = true
        throw error
      }
      if rows.count == limit { hasWaiting = true }
      guard !rows.isEmpty, connection != nil else { return nil }
      // What was said from memory must not be taken back by what is older.
      let old = rows.filter { $0.message.isRetained && superseded.contains($0.message.topic) }
      if !old.isEmpty {
        settled += old.map(\.id)
        commitDue = min(commitDue ?? timekeeper.uptime, timekeeper.uptime)
        hasWaiting = true
        continue
      }
      for row in rows {
        window.sent(row.id)
        messagesUnderWay[row.id] = row.message
      }
      pace.spent(rows.count)
      await broker.publish(rows.map { ($0.message.message, UInt64(bitPattern: $0.id)) })
    }
    return nil
  }

  /// Turns the oldest records into told gaps when the outbox is larger or older than it may be.
  func enforceLimits() async {
    let time = timekeeper.now
    let away = window.underWay.union(settled).union(settling)
    let dialect = dialect
    var random = SeededGenerator(seed: self.random.next())
    do throws(StoreFailure) {
      let dropped = try await store.enforceOutboxLimits(
        maximumSize: Int(clamping: limits.outboxMaximumSize), oldest: time - limits.outboxMaximumAge,
        sparing: away
      ) { losses in
        losses.flatMap { loss -> [OutboxMessage] in
          guard let (board, stream) = dialect.source(of: loss.topic) else { return [] }
          let gap = Happening(
            .dataGap, "stream", subject: .board(board),
            fields: [
              "stream": .string(stream), "from_ms": .integer(loss.from.milliseconds),
              "to_ms": .integer(loss.to.milliseconds), "count": .integer(Int64(loss.samples)),
              "reason": .string(GapReason.storageFull.rawValue),
            ], id: ULID(at: time, using: &random), time: time)
          return dialect.messages(for: .happened(gap)).map {
            OutboxMessage($0.message, as: .event, samples: 0, created: time)
          }
        }
      }
      counters.add(dropped.reduce(0) { $0 + $1.samples }, to: .samplesDropped)
      if !dropped.isEmpty { outboxGrew() }
    } catch {
      log.error("the outbox cannot be trimmed", metadata: ["reason": "\(error)"])
    }
  }

  func acknowledged(_ answers: [Acknowledgement]) async {
    var isOurs = false
    for answer in answers {
      let row = OutboxRow.ID(truncatingIfNeeded: answer.token)
      guard window.answered(row) else { continue }
      isOurs = true
      if row > Self.firstDirect {
        answeredDirect(row, isDelivered: answer.failure == nil)
      } else if row < 0 {
        replay?.answered(row, isDelivered: answer.failure == nil)
      } else {
        await acknowledged(row, answer.failure)
      }
    }
    guard isOurs else { return }
    if isStoreInTrouble { await sayFromMemory() }
    outboxAlarm.ring()
    replay?.alarm.ring()
  }

  private func acknowledged(_ row: OutboxRow.ID, _ failure: BrokerFailure?) async {
    guard let message = messagesUnderWay.removeValue(forKey: row) else { return }
    let topic = message.topic
    switch failure {
    case nil:
      settled.append(row)
      scheduleCommit(for: message)
    case .refused(let code, let text): await refuse(row, on: topic, "quota", Int(code), text)
    case .notAuthorised(let text): await refuse(row, on: topic, "not-authorised", 0x87, text)
    case .tooLarge: await refuse(row, on: topic, "too-large", 0x95, "larger than the broker takes")
    case .misuse(let text): await refuse(row, on: topic, "too-large", 0x90, text)
    // The connection is going; the row goes again on the next one.
    case .unreachable, .insecure, .unsupportedProtocol, .sessionTakenOver, .connectionLost: break
    }
  }

  /// Parked, counted, told; never lost and never taken for delivered (fault F66).
  private func refuse(
    _ row: OutboxRow.ID, on topic: String, _ kind: String, _ code: Int, _ text: String
  ) async {
    try? await store.markRefused([row], because: text, at: timekeeper.now)
    log.error("the broker refused a message", metadata: ["topic": "\(topic)", "reason": "\(text)"])
    if let entry = refusals.refused(topic: topic, kind: kind, reasonCode: code, at: timekeeper.uptime) {
      await tell(entry)
    }
  }

  /// Offers again what the broker refused: its reason may be gone, and what is retained there must become true.
  func retryRefused() async {
    for entry in refusals.due(at: timekeeper.uptime) { await tell(entry) }
    guard connection != nil else { return }
    do throws(StoreFailure) {
      try await store.retryRefused(limit: Self.retryLimit)
      outboxGrew()
    } catch {
      log.error("refused messages cannot be taken up again", metadata: ["reason": "\(error)"])
    }
  }

  /// Refused rows that are offered again at once.
  private static let retryLimit = 500

  private func tell(_ entry: RefusalDigest.Entry) async {
    await handlers?.connection(
      .refused(topic: entry.topic, kind: entry.kind, reasonCode: entry.reasonCode, rows: entry.rows))
  }
}
