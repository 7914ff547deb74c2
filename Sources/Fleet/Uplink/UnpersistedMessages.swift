import FleetModel
import Storage

/// Messages that are on no disk: those that wait for the next commit, and those that went out without it (invariant
/// I14); and streamed samples that are to be kept beside. Pure.
struct UnpersistedMessages: Sendable {
  /// Bytes that may wait; samples beyond are dropped, which is published.
  static let limit = 16 << 20
  /// Tokens of messages that are in no outbox; rows' own numbers never come so far.
  static let firstToken: OutboxRow.ID = 1 << 61

  /// Samples that the archive is to keep.
  var kept = KeptBatches()
  /// The number of a connection's birth that the disk does not know.
  var birth: Int?
  private(set) var waiting: [OutboxMessage] = []
  private(set) var bytes = 0
  private var beingWritten = MessagesBeingWritten()
  /// On their way, by token.
  private var underWay: [OutboxRow.ID: OutboxMessage] = [:]
  private var lastToken = Self.firstToken
  /// Such that the broker refused: they wait for the disk, to be parked there.
  private var refused: [OutboxMessage] = []
  /// How many events that went out without the disk the history may still take, the latest.
  static let mostUnrecorded = 1_000
  /// Events that the broker has, and the history has not.
  private var unrecorded: [HistoryEntry] = []
  /// Retained topics whose message on the disk is older than one that went out without it.
  private var superseded: Set<String> = []

  /// Whether samples have to be dropped.
  var isFull: Bool { bytes > Self.limit }

  mutating func keep(_ message: OutboxMessage) {
    waiting.append(message)
    bytes += message.payload.count
  }

  /// They go before all others.
  mutating func putBack(_ messages: [OutboxMessage]) {
    waiting = messages + waiting
    bytes += messages.reduce(0) { $0 + $1.payload.count }
  }

  /// What the next transaction takes, in order; no samples where `isLow`: too little is left of the disk. What gathered
  /// while it refused goes piece by piece, of so many bytes: it must not fill it at one blow.
  mutating func take(piece: Int, isLow: Bool) -> [OutboxMessage] {
    putBack(refused)
    refused = []
    let taken = takeWaiting(piece: piece, isLow: isLow)
    // Whatever went out on their topics was older; what goes out while they are being written is newer.
    for message in taken where message.isRetained { superseded.remove(message.topic) }
    beingWritten = MessagesBeingWritten(taken)
    return taken
  }

  /// The disk has what it was given last. Returns the places of those that went out meanwhile, and that the broker has.
  /// Those that it has not answered for go again, from the disk.
  mutating func written() -> Set<Int> {
    defer { beingWritten = MessagesBeingWritten() }
    return beingWritten.delivered
  }

  /// The disk has nothing of what it was given last.
  mutating func notWritten() {
    let left = beingWritten.left
    beingWritten = MessagesBeingWritten()
    putBack(left.waiting)
    for (token, message) in left.underWay { underWay[token] = message }
    keep(unrecorded: unrecorded + left.delivered.compactMap(\.history))
  }

  private mutating func takeWaiting(piece: Int, isLow: Bool) -> [OutboxMessage] {
    guard bytes > piece || isLow else {
      defer { (waiting, bytes) = ([], 0) }
      return waiting
    }
    var (taken, left, size): ([OutboxMessage], [OutboxMessage], Int) = ([], [], 0)
    for message in waiting {
      if size <= piece, !(isLow && message.deliveryClass == .record) {
        taken.append(message)
        size += message.payload.count
      } else {
        left.append(message)
      }
    }
    replace(by: left)
    return taken
  }

  /// Sessions of streams that the disk must not know to be over yet.
  var openSessions: Set<ULID> {
    Set(waiting.compactMap(\.continues?.session)).union(waiting.lazy.flatMap(\.closes))
  }

  /// What goes out without the disk, at most `room`, with tokens: first what that is being given.
  mutating func takeForBroker(atMost room: Int) -> [(token: OutboxRow.ID, message: OutboxMessage)] {
    var taken = beingWritten.takeForBroker(atMost: room, after: &lastToken)
    var left: [OutboxMessage] = []
    for message in waiting {
      guard message.goesWithoutDisk, taken.count < room else {
        left.append(message)
        continue
      }
      lastToken += 1
      underWay[lastToken] = message
      taken.append((lastToken, message))
    }
    if left.count < waiting.count { replace(by: left) }
    superseded.formUnion(taken.lazy.map(\.message).filter(\.isRetained).map(\.topic))
    return taken
  }

  /// The broker has answered for a message of such a token.
  mutating func answered(_ token: OutboxRow.ID, isDelivered: Bool) {
    if let message = beingWritten.answered(token, isDelivered: isDelivered) {
      // What was refused goes again from the disk, to be parked there.
      if !isDelivered { superseded.remove(message.topic) }
      return
    }
    guard let message = underWay.removeValue(forKey: token) else { return }
    if !isDelivered { return refused.append(message) }
    if let entry = message.history { keep(unrecorded: unrecorded + [entry]) }
  }

  var hasUnrecorded: Bool { !unrecorded.isEmpty }

  /// What the next transaction keeps in the history beside what it takes to the broker.
  mutating func takeUnrecorded() -> [HistoryEntry] {
    defer { unrecorded = [] }
    return unrecorded
  }

  mutating func putBack(unrecorded entries: [HistoryEntry]) {
    keep(unrecorded: entries + unrecorded)
  }

  private mutating func keep(unrecorded entries: [HistoryEntry]) {
    unrecorded = Array(entries.suffix(Self.mostUnrecorded))
  }

  /// A new connection: what was under way on the old one goes again. Returns whether there was something.
  mutating func connectionOpened() -> Bool {
    beingWritten.connectionOpened()
    guard !underWay.isEmpty else { return false }
    putBack(underWay.sorted { $0.key < $1.key }.map(\.value))
    underWay = [:]
    return true
  }

  /// Whether what the disk has for a retained topic is older than what went out on it.
  func isSuperseded(_ topic: String) -> Bool { superseded.contains(topic) }

  /// Splits rows of the disk into those that may go out, and those that are older than what went out on their topics.
  func split(_ rows: [OutboxRow]) -> (current: [OutboxRow], old: [OutboxRow]) {
    let isOld: (OutboxRow) -> Bool = { $0.message.isRetained && superseded.contains($0.message.topic) }
    return (rows.filter { !isOld($0) }, rows.filter(isOld))
  }

  /// Retained topics whose message is on its way, or waits.
  var retainedTopics: [String] { (waiting + underWay.values).filter(\.isRetained).map(\.topic) }

  private mutating func replace(by messages: [OutboxMessage]) {
    waiting = messages
    bytes = messages.reduce(0) { $0 + $1.payload.count }
  }
}
