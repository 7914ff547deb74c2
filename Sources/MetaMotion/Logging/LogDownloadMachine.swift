import BoardKit

/// Reading a log out, from the question to the end: what comes is handed on piece by piece, and a page is confirmed,
/// which erases it on the board, when all of it is known to have come and was kept, and not before. Pure: packets and
/// time come in; what is known of a page says `LogPageCheck`.
///
///                  a page notice                   whole                   kept
///      reading ─────────────────────▶ judging ──────────────▶ keeping ─────────────▶ confirming
///       │  ▲                            │                      │  ▲                      │
///       │  │                            │ something missing    │  │ 512 entries          │
///       │  └────────────────────────────┼──────────────────────┼──┴──────────────────────┘
///       │ 0 left, or all is there       ▼                      ▼ not kept
///       ▼                            doubtful                notKept
///      trailing ── quiet for 300 ms ──▶ finished, doubtful
///
///      reading ── 20 s of silence ──▶ silent;  any ── link ended ──▶ broken;  a page that may not be erased ──▶ held
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
    case finish(LogReadOutResult)
    /// The link has ended, and all that came was handed on.
    case giveUp
  }

  /// Entries of a piece where the board tells no pages: those of a page of flash (section 16.1).
  static let pieceLimit = 512
  /// After this the board is silent in the midst of it (fault F35).
  static let silence = Duration.seconds(20)
  /// After the last progress entries may trickle in: it ends when nothing came for so long (fault F34) …
  static let quiet = Duration.milliseconds(300)
  /// … and at the latest after this. It is also the time-out of a board that sent all it announced, but does not say
  /// so.
  static let trailing = Duration.seconds(2)

  /// Whether pages may be erased.
  private let mayErase: Bool
  /// What came and what was announced.
  private(set) var tally: LogPageCheck
  private var buffer = LogPageBuffer()
  /// What ended with a page notice and is not judged yet, by notices.
  private var closing: [LogPageBuffer] = []
  /// What waits to be kept.
  private var pieces: [LogPage] = []
  /// What is being kept.
  private var keeping: LogPage?
  private var confirmations = 0
  /// What the board counted of pages that were confirmed, and never handed out.
  private var missing = 0
  /// Entries that came twice and were left out.
  private var doubled = 0
  private var isRefused = false
  private var isBroken = false
  private var end: LogReadOutResult.End?

  private var moments: Moments

  /// When that happened by which it is told what is over. Packets are not timed one by one, but when they are handled.
  private struct Moments {
    var hasProgress = false
    var lastProgress: Duration
    var trailingSince: Duration?
    var closingSince: Duration?
    var pageBegan: Duration
  }

  /// What `tally` announces was asked for at `now`. `mayErase`: pages may be confirmed.
  init(_ tally: LogPageCheck, mayErase: Bool = true, at now: Duration) {
    (self.tally, self.mayErase) = (tally, mayErase)
    moments = Moments(lastProgress: now, pageBegan: now)
  }

  /// When the read-out began, or its last page was confirmed.
  var pageBegan: Duration { moments.pageBegan }

  // What happens.

  /// Entries came behind the two bytes of a packet's header. Returns whether `step` has something to do.
  mutating func receivedEntries(_ packet: RawSpan) -> Bool {
    moments.hasProgress = true
    let count = (packet.byteCount - 2) / LogEntry.size
    if packet.byteCount - 2 != count * LogEntry.size || count < 1 { tally.tookMalformed(isOfEntries: true) }
    guard count > 0 else { return false }
    var isPiece = false
    var copy = LogPageCheck.Copy()
    copy.take(packet, from: 2, count: count)
    if closing.isEmpty, !buffer.hasLately(copy), buffer.count + count > Self.pieceLimit {
      handOn()
      isPiece = true
    }
    buffer.take(packet.extracting(2..<(2 + count * LogEntry.size)), copy)
    tally.took(packet, from: 2, count: count)
    return isPiece || !closing.isEmpty
  }

  /// The board reported how many entries are left.
  mutating func receivedProgress(_ packet: RawSpan) -> Bool {
    moments.hasProgress = true
    guard packet.byteCount >= 6 else {
      tally.tookMalformed(isOfEntries: false)
      return false
    }
    let left = Int(LogEntry.word(packet, at: 2))
    tally.reported(left: left)
    return left == 0 || !closing.isEmpty
  }

  /// The board ended a page and waits for its confirmation.
  mutating func pageCompleted() {
    moments.hasProgress = true
    closing.append(buffer)
    buffer = LogPageBuffer()
  }

  /// Our own reader was held up since `pageBegan`: packets may have been dropped.
  mutating func stalled() { tally.stalled() }

  /// What `step` gave to keep is on disk, or is not.
  mutating func kept(_ isKept: Bool, at now: Duration) {
    guard let page = keeping else { return }
    keeping = nil
    // The board waited for us.
    moments.lastProgress = now
    guard isKept else { return isRefused = true }
    guard page.endsPage else { return }
    if mayErase {
      confirmations += 1
      missing += page.missing
    } else if !tally.hasAll {
      end = end ?? .needsErasure
    }
  }

  mutating func linkEnded() { isBroken = true }

  private mutating func handOn() {
    pieces.append(LogPage(entries: buffer.bytes, endsPage: false, left: tally.left))
    buffer = LogPageBuffer()
  }

  // What to do.

  /// What to do at `now`.
  mutating func step(at now: Duration) -> Step {
    if moments.hasProgress { (moments.hasProgress, moments.lastProgress) = (false, now) }
    if moments.trailingSince == nil, tally.left == 0 { moments.trailingSince = now }
    guard keeping == nil else { return .wait(atMost: Self.silence) }
    if isRefused { return isBroken ? .giveUp : .finish(readOut(.notKept)) }
    if confirmations > 0, !isBroken {
      confirmations -= 1
      (moments.lastProgress, moments.pageBegan) = (now, now)
      if moments.trailingSince != nil { moments.trailingSince = now }
      return .confirmPage
    }
    if !closing.isEmpty, moments.closingSince == nil { moments.closingSince = now }
    let isOver = now >= deadline
    if !isBroken, end == nil, !closing.isEmpty, isOver || tally.isExact {
      judge()
    } else if !isBroken, end == nil, pieces.isEmpty, isOver {
      end = moments.trailingSince == nil && tally.missing > 0 ? .silent : .finished
      if end == .finished, tally.verdict == .doubtful { end = .doubtful }
    }
    if end != nil || isBroken { handOnRest() }
    if !pieces.isEmpty {
      let piece = pieces.removeFirst()
      keeping = piece
      return .keep(piece)
    }
    if isBroken { return .giveUp }
    if let end { return .finish(readOut(end)) }
    return .wait(atMost: deadline - now)
  }

  /// Decides what becomes of the page that the board has ended.
  private mutating func judge() {
    closing = leavingRepeatsOut(of: closing)
    guard case .whole(let missing) = tally.verdict else { return end = .doubtful }
    for (index, page) in closing.enumerated() {
      let isLast = index == closing.count - 1
      pieces.append(
        LogPage(
          entries: page.bytes, endsPage: true, left: tally.left, missing: isLast && mayErase ? missing : 0))
    }
    (closing, moments.closingSince) = ([], nil)
    tally.pageEnded()
  }

  /// `pages` without what came twice, where that is as much as came more than was announced. Where it is not, one
  /// packet may stand for another that was lost: only a second read-out tells.
  private mutating func leavingRepeatsOut(of pages: [LogPageBuffer]) -> [LogPageBuffer] {
    let repeated = pages.reduce(0) { $0 + $1.repeated }
    guard repeated > 0 else { return pages }
    guard tally.surplus == repeated else {
      tally.repeated()
      return pages
    }
    doubled += repeated
    tally.leaveOut(repeated)
    return pages.map(\.withoutRepeats)
  }

  private mutating func handOnRest() {
    var rest = closing + [buffer]
    // Of boards that tell no pages.
    if end == .finished, closing.isEmpty { rest = leavingRepeatsOut(of: rest) }
    (closing, moments.closingSince, buffer) = ([], nil, LogPageBuffer())
    pieces += rest.filter { !$0.isEmpty }.map {
      LogPage(entries: $0.bytes, endsPage: false, left: tally.left)
    }
  }

  private func readOut(_ end: LogReadOutResult.End) -> LogReadOutResult {
    LogReadOutResult(
      end: end, entries: tally.received, malformed: tally.malformed, missing: missing, doubled: doubled)
  }

  /// When it is over unless something comes: the read-out, or the wait for what a page notice left behind.
  private var deadline: Duration {
    if let since = moments.closingSince ?? moments.trailingSince {
      return min(moments.lastProgress + Self.quiet, since + Self.trailing)
    }
    return moments.lastProgress + (tally.missing <= 0 ? Self.trailing : Self.silence)
  }
}
