import BoardKit

/// Reading a log out, from the question to the end: what comes is handed on piece by piece, and a page is confirmed, which
/// erases it on the board, when all of it was kept and not before. Pure: packets and time come in.
///
///                  a page notice, or 512 entries
///      reading ─────────────────────────────▶ keeping ── kept ──▶ confirming (where a notice waits for it)
///       │  ▲                                   │   │                  │
///       │  └───────────────────────────────────┼───┴──────────────────┘
///       │ 0 left, or all is there              │ not kept
///       ▼                                      ▼
///      trailing ── quiet for 300 ms ──▶ finished    notKept
///
///      reading ── 20 s of silence ──▶ silent;  any ── link ended ──▶ broken
///
/// Whatever ends it, what came of a page is handed on before, once. What boards do differently (protocol reference,
/// section 41): a page notice may come before or behind the last progress, without entries, or not at all; entries may
/// come behind the last progress, or fewer than were announced.
struct LogDownloadMachine: Sendable {
  /// What to do next.
  enum Step: Hashable, Sendable {
    /// Store it, and say what came of that.
    case keep(LogPage)
    /// Tell the board that its page is safe.
    case confirmPage
    /// Nothing, for so long at most.
    case wait(atMost: Duration)
    case finish(LogReadOut)
    /// The link has ended, and all that came was handed on.
    case giveUp
  }

  /// Entries of a piece where the board tells no pages: those of a page of flash (section 16.1).
  static let pieceLimit = 512
  /// After this the board is silent in the midst of it (fault F35).
  static let silence = Duration.seconds(20)
  /// After the last progress entries may trickle in: it ends when nothing came for so long (fault F34) …
  static let quiet = Duration.milliseconds(300)
  /// … and at the latest after this. It is also the patience with a board that sent all it announced, but does not say so.
  static let trailing = Duration.seconds(2)

  private let announced: Int
  /// Entries and packets that could not be read, so far.
  private(set) var received = 0
  private(set) var malformed = 0
  /// Entries left as the board told last.
  private(set) var left: Int?

  private var buffer: [UInt8] = []
  /// What waits to be kept.
  private var pieces: [LogPage] = []
  /// What is being kept.
  private var keeping: LogPage?
  private var confirmations = 0
  /// Whether something of the page at hand could not be read: it has to come again.
  private var isPageDamaged = false
  private var isRefused = false
  private var isBroken = false
  private var end: LogReadOut.End?

  /// Packets are not timed one by one, but when they are looked at.
  private var hasNews = false
  private var lastNews: Duration
  private var trailingSince: Duration?

  /// `announced` entries were asked for at `now`.
  init(announced: Int, at now: Duration) {
    (self.announced, lastNews) = (announced, now)
  }

  // What happens.

  /// Entries came behind the two bytes of a packet's header. Returns whether `step` has something to do.
  mutating func receivedEntries(_ packet: RawSpan) -> Bool {
    hasNews = true
    let count = (packet.byteCount - 2) / LogEntry.size
    if packet.byteCount - 2 != count * LogEntry.size || count < 1 {
      malformed += 1
      isPageDamaged = true
    }
    guard count > 0 else { return false }
    var isPiece = false
    if buffer.count + count * LogEntry.size > Self.pieceLimit * LogEntry.size {
      handOn(endsPage: false)
      isPiece = true
    }
    packet.extracting(2..<(2 + count * LogEntry.size)).withUnsafeBytes { buffer.append(contentsOf: $0) }
    received += count
    return isPiece
  }

  /// The board told how many entries are left.
  mutating func receivedProgress(_ packet: RawSpan) -> Bool {
    hasNews = true
    guard packet.byteCount >= 6 else {
      malformed += 1
      return false
    }
    left = Int(LogEntry.word(packet, at: 2))
    return left == 0
  }

  /// The board ended a page and waits for its confirmation.
  mutating func pageCompleted() {
    hasNews = true
    handOn(endsPage: true)
  }

  /// What `step` gave to keep is on disk, or is not.
  mutating func kept(_ isKept: Bool, at now: Duration) {
    guard let page = keeping else { return }
    keeping = nil
    // The board waited for us.
    lastNews = now
    guard isKept else { return isRefused = true }
    if page.endsPage { confirmations += 1 }
  }

  mutating func linkEnded() { isBroken = true }

  private mutating func handOn(endsPage: Bool) {
    pieces.append(LogPage(entries: buffer, endsPage: endsPage && !isPageDamaged, left: left))
    if endsPage && isPageDamaged { end = .notKept }
    buffer = []
    buffer.reserveCapacity(Self.pieceLimit * LogEntry.size)
  }

  // What to do.

  /// What to do at `now`.
  mutating func step(at now: Duration) -> Step {
    if hasNews { (hasNews, lastNews) = (false, now) }
    if trailingSince == nil, left == 0 { trailingSince = now }
    guard keeping == nil else { return .wait(atMost: Self.silence) }
    if isRefused { return isBroken ? .giveUp : .finish(readOut(.notKept)) }
    if confirmations > 0, !isBroken {
      confirmations -= 1
      lastNews = now
      if trailingSince != nil { trailingSince = now }
      return .confirmPage
    }
    if !isBroken, end == nil, pieces.isEmpty, now >= deadline {
      end = trailingSince == nil && received < announced ? .silent : .finished
    }
    if end != nil || isBroken, !buffer.isEmpty { handOn(endsPage: false) }
    if !pieces.isEmpty {
      let piece = pieces.removeFirst()
      keeping = piece
      return .keep(piece)
    }
    if isBroken { return .giveUp }
    if let end { return .finish(readOut(end)) }
    return .wait(atMost: deadline - now)
  }

  private func readOut(_ end: LogReadOut.End) -> LogReadOut {
    LogReadOut(end: end, entries: received, malformed: malformed)
  }

  /// When it is over unless something comes.
  private var deadline: Duration {
    if let trailingSince { return min(lastNews + Self.quiet, trailingSince + Self.trailing) }
    return lastNews + (received >= announced ? Self.trailing : Self.silence)
  }
}
