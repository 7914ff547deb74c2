import Dialects
import FleetModel
import Storage

/// What of the outbox is on its way to the broker, and what of that has arrived. Pure.
struct InFlightMessages: Sendable {
  private(set) var window = InFlightWindow()
  private var messages: [OutboxRow.ID: OutboxMessage] = [:]
  /// Acknowledged, which is not on disk yet.
  private(set) var acknowledged: [OutboxRow.ID] = []
  /// Those that are being stored as acknowledged.
  private var beingStored: Set<OutboxRow.ID> = []
  /// Refused by the broker, which is not on disk.
  private var setAside: Set<OutboxRow.ID> = []
  var pace: BacklogRateLimit
  /// Bytes of the largest packet that the broker takes; nil where it states none.
  private(set) var largestPacket: Int?
  /// What goes next.
  var next = NextMessages()
  private var isSending = false

  init(pace: BacklogRateLimit) { self.pace = pace }

  /// False while everything that waits on the disk is on its way.
  var hasWaiting: Bool { !next.isEmpty || !next.isComplete }

  /// A document as the broker takes it: shortened where that is allowed, and it takes only small packets.
  func fitted(_ outgoing: OutgoingMessage, by dialect: any Dialect) -> OutgoingMessage {
    guard let size = largestPacket, outgoing.message.isRetained else { return outgoing }
    return dialect.shortened(outgoing, to: size) ?? outgoing
  }

  /// False where others hand rows over: who did so beside them would bring them out of order.
  mutating func beginSending() -> Bool {
    defer { isSending = true }
    return !isSending
  }

  mutating func endSending() { isSending = false }

  /// How many rows may be handed over now.
  mutating func allowance(at uptime: Duration) -> Int { min(window.room, pace.allowance(at: uptime)) }

  /// Rows that are not to be handed over, nor dropped.
  var away: Set<OutboxRow.ID> { window.underWay.union(acknowledged).union(beingStored).union(setAside) }

  /// Whether the broker has acknowledged a row, which the disk need not know yet.
  func hasArrived(_ row: OutboxRow.ID) -> Bool { beingStored.contains(row) || acknowledged.contains(row) }

  /// A new connection: nothing is under way on it.
  mutating func connectionOpened(receiveMaximum: Int, largestPacket: Int? = nil, at uptime: Duration) {
    self.largestPacket = largestPacket
    window.opened(receiveMaximum: receiveMaximum)
    messages.removeAll()
    setAside.removeAll()
    pace.opened(at: uptime)
    next.forget()
  }

  /// So many rows came into the outbox without us; no backlog holds them up.
  mutating func entered(_ rows: Int) {
    pace.entered(rows)
    next.forget()
  }

  /// Rows that were just written.
  mutating func entered(_ rows: [OutboxRow]) {
    pace.entered(rows.count)
    next.entered(rows)
  }

  mutating func sent(_ rows: [OutboxRow]) {
    for row in rows {
      window.sent(row.id)
      messages[row.id] = row.message
    }
    pace.spent(rows.count)
  }

  /// Something is under way that is no waiting row.
  mutating func sent(_ token: OutboxRow.ID) { window.sent(token) }

  /// Whether the broker's word is about something that was under way.
  mutating func answered(_ token: OutboxRow.ID) -> Bool { window.answered(token) }

  /// The message of a row that was answered for; nil when its connection is gone.
  mutating func take(_ row: OutboxRow.ID) -> OutboxMessage? { messages.removeValue(forKey: row) }

  /// The broker will not have them, and the disk does not know: sent again at once they would be refused again.
  mutating func setAside(_ rows: [OutboxRow.ID]) { setAside.formUnion(rows) }

  /// They are offered once more. Returns whether there are any.
  mutating func offerAgain() -> Bool {
    guard !setAside.isEmpty else { return false }
    setAside.removeAll()
    next.forget()
    return true
  }

  /// The broker acknowledged them; that has to go to disk.
  mutating func acknowledge(_ rows: [OutboxRow.ID]) { acknowledged += rows }

  mutating func takeAcknowledged() -> [OutboxRow.ID] {
    let rows = acknowledged
    acknowledged.removeAll(keepingCapacity: true)
    beingStored.formUnion(rows)
    return rows
  }

  /// The acknowledgement of these rows was written to disk, or the disk refused.
  mutating func stored(_ rows: [OutboxRow.ID], isStored: Bool) {
    beingStored.subtract(rows)
    if !isStored { acknowledged = rows + acknowledged }
  }
}
