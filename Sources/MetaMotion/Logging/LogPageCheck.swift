import BoardKit

/// What came of a log's page, held against what the board announced: whether all of it is known to be here, so that the
/// board may erase it. Pure.
///
/// What came and what the board says is left make up what was announced when nothing is missing. A board may announce
/// more than it ever hands out (protocol reference, section 16.10): then a page falls short in each read-out alike, and
/// two in a row that brought the same entries show that these are all it has.
struct LogPageCheck: Hashable, Sendable {
  /// The entries of a page, as they came.
  struct Copy: Hashable, Sendable {
    private(set) var count = 0
    /// FNV-1a over heads, ticks and data.
    private var digest: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func take(_ entries: RawSpan, from start: Int, count: Int) {
      for index in 0..<count {
        let offset = start &+ index &* LogEntry.size
        fold(UInt64(LogEntry.head(entries, at: offset)))
        fold(UInt64(LogEntry.word(entries, at: offset &+ 1)))
        fold(UInt64(LogEntry.word(entries, at: offset &+ 5)))
      }
      self.count &+= count
    }

    /// So many of them are none.
    mutating func leaveOut(_ count: Int) { self.count -= count }

    private mutating func fold(_ word: UInt64) { digest = (digest ^ word) &* 0x100_0000_01B3 }
  }

  /// What is known of a page.
  enum Verdict: Hashable, Sendable {
    /// All that the board has of it came; it counted `missing` entries more, and handed them out in neither of two
    /// read-outs.
    case whole(missing: Int)
    /// Something may be missing: it has to come again.
    case doubtful
  }

  /// Entries that were asked for.
  private let announced: Int
  /// Entries of a page, where the board tells that.
  private let pageSize: Int?
  /// The page that the read-out before was in doubt about.
  private let earlier: Copy?
  /// Entries and packets that could not be read, of the whole read-out.
  private(set) var received = 0
  private(set) var malformed = 0
  /// Entries left as the board reported last.
  private(set) var left: Int?
  /// Whether that was reported behind the last entries.
  private var isLeftFresh = false
  /// What was announced and is not to be expected any more; negative where more is to come than was announced.
  private var written = 0
  /// What came since the last page that was whole.
  private var page = Copy()
  /// Whether something of it could not be read, or our own reader was held up, so that packets may have been dropped.
  private var isDamaged = false
  private var wasStalled = false
  /// Whether packets of it came twice, as many as none of the counts explains.
  private var isRepeated = false

  init(announced: Int, pageSize: Int? = nil, earlier: Copy? = nil) {
    (self.announced, self.pageSize, self.earlier) = (announced, pageSize, earlier)
  }

  /// Entries that were announced and did not come.
  var missing: Int { announced - received - written }

  /// Whether nothing is to be expected any more.
  var hasAll: Bool { left == 0 || missing <= 0 }

  /// The page as it came, to be compared with the next read-out's; nil where that would prove nothing.
  var doubt: Copy? { isDamaged || page.count == 0 ? nil : page }

  /// `count` whole entries came, from `start` of a packet on.
  mutating func took(_ packet: RawSpan, from start: Int, count: Int) {
    received &+= count
    isLeftFresh = false
    page.take(packet, from: start, count: count)
  }

  mutating func tookMalformed(isOfEntries: Bool) {
    malformed += 1
    if isOfEntries { isDamaged = true }
  }

  mutating func reported(left: Int) { (self.left, isLeftFresh) = (left, true) }

  /// Entries of the page that came and were not announced, as far as the board reported; 0 where it did not.
  var surplus: Int {
    if let left, isLeftFresh || left == 0 { return left - missing }
    if missing < 0 { return -missing }
    guard left == nil, let pageSize else { return 0 }
    return max(0, page.count - pageSize)
  }

  /// Entries of the page came twice, and are not kept twice.
  mutating func leaveOut(_ count: Int) {
    received -= count
    page.leaveOut(count)
  }

  /// Packets of the page came twice, or are alike.
  mutating func repeated() { isRepeated = true }

  /// Packets may have been dropped since the page began.
  mutating func stalled() { wasStalled = true }

  /// Whether what came makes up what was announced, entry for entry.
  var isExact: Bool {
    if isDamaged { return false }
    if let left, isLeftFresh, left > 0 { return missing == left }
    if missing <= 0 { return true }
    // Boards that tell nothing of what is left: a page of theirs is full.
    guard let left else { return page.count == pageSize }
    return left == 0 && missing == 0
  }

  /// Judges what came since the last page that was whole, when nothing more of it is to come.
  var verdict: Verdict {
    if isExact, !(wasStalled || isRepeated) || page.count == 0 { return .whole(missing: 0) }
    guard let doubt, doubt == earlier else { return .doubtful }
    return .whole(missing: max(0, shortfall))
  }

  /// Entries by which the page fell short, as far as the board reported.
  private var shortfall: Int {
    guard let left, isLeftFresh || left == 0 else { return 0 }
    return missing - left
  }

  /// The page is whole; the next one begins.
  mutating func pageEnded() {
    written += shortfall
    (page, isDamaged, wasStalled, isRepeated) = (Copy(), false, false, false)
    // What is left was told of this page: the next one may lose all of its entries.
    isLeftFresh = false
  }
}
