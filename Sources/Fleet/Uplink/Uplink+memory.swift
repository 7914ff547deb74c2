import Dialects
import FleetModel
import Storage

/// What goes out although the disk does not take it: everything but samples, from memory (invariant I14).
extension Uplink {
  /// Tokens of messages that are in no outbox; rows' own numbers never come so far.
  static let firstDirect: OutboxRow.ID = 1 << 61
  /// How long a commit may take before nobody waits for it.
  static let commitPatience = Duration.seconds(1)

  /// Whether the disk refuses, or takes too long.
  var isStoreInTrouble: Bool {
    refusal != nil || commitStarted.map { timekeeper.uptime - $0 > Self.commitPatience } ?? false
  }

  /// Whether too little of the disk is left for samples.
  var isStorageLow: Bool { room.isLow }

  /// Why samples that are dropped now are dropped.
  var dropReason: GapReason {
    switch refusal {
    case .taken: .storageLocked
    case nil: isStorageLow ? .storageFull : .storageLocked
    default: .storageFull
    }
  }

  /// Hands replies, state and events over without the disk while it is in trouble.
  func sayFromMemory() async {
    guard isStoreInTrouble, connection != nil, window.room > 0 else { return }
    var (said, left): ([(message: MQTTMessage, token: UInt64)], [OutboxMessage]) = ([], [])
    for row in pending {
      guard row.priority != .record, window.room > 0 else {
        left.append(row)
        continue
      }
      lastDirect = max(lastDirect, Self.firstDirect) + 1
      window.sent(lastDirect)
      direct[lastDirect] = row
      // What still lies on the disk for this topic is older.
      if row.isRetained { superseded.insert(row.topic) }
      said.append((row.message, UInt64(bitPattern: lastDirect)))
    }
    guard !said.isEmpty else { return }
    pending = left
    pendingBytes = left.reduce(0) { $0 + $1.payload.count }
    await broker.publish(said)
  }

  /// The broker has answered for a message that is in no outbox. One that it refused waits for the disk, to be parked there.
  func answeredDirect(_ token: OutboxRow.ID, isDelivered: Bool) {
    guard let row = direct.removeValue(forKey: token), !isDelivered else { return }
    refusedDirect.append(row)
  }

  /// A new connection: what was under way on the old one goes again, before all that came after it.
  func takeBackDirect() {
    let rows = direct.sorted { $0.key < $1.key }.map(\.value)
    direct = [:]
    guard !rows.isEmpty else { return }
    pending = rows + pending
    pendingBytes += rows.reduce(0) { $0 + $1.payload.count }
    commitDue = min(commitDue ?? timekeeper.uptime, timekeeper.uptime)
  }

  /// A batch or a live sample with the number that it bears outside; nil for a batch that there is no room for.
  func numbered(_ event: FleetEvent) -> FleetEvent? {
    switch event {
    case .batch(let batch) where batch.origin == .stream:
      if pendingBytes > Self.pendingLimit {
        counters.add(batch.count, to: .samplesDropped)
        numbers.drop(batch, because: dropReason)
        return nil
      }
      return numbers.isEmpty ? event : .batch(numbers.number(batch))
    case .live(let sample): return numbers.isEmpty ? event : .live(numbers.number(sample))
    default: return event
    }
  }

  /// Tells what was dropped: as soon as samples are kept again, and twice a minute meanwhile.
  func tellLosses(isOver: Bool) async {
    guard numbers.hasLosses else { return }
    guard isOver || timekeeper.uptime - lossesTold >= Self.lossPeriod else { return }
    lossesTold = timekeeper.uptime
    let losses = numbers.takeLosses()
    let time = timekeeper.now
    await deliver(
      losses.map { loss in
        .happened(
          Happening(
            .dataGap, "stream", subject: .board(loss.board),
            fields: [
              "stream": .string(loss.stream), "session": .string(loss.session.description),
              "from_ms": .integer(loss.from.milliseconds), "to_ms": .integer(loss.to.milliseconds),
              "count": .integer(Int64(loss.count)), "reason": .string(loss.reason.rawValue),
            ], id: ULID(at: time, using: &random), time: time))
      })
    for loss in losses { await handlers?.connection(.dropped(loss.board, samples: loss.count)) }
  }

  private static let lossPeriod = Duration.seconds(30)
}
