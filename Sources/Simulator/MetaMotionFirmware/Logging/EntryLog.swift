/// The entries of the log, oldest first: pages in flash memory, and on boards that gather a page before they write it,
/// what is still in their memory (protocol reference 16.3).
struct EntryLog: Sendable {
  /// Entries per page of flash; pages are erased whole.
  static let page = 512
  /// Ticks after which a shortened tick needs a record of its own (protocol reference 16.10).
  private static let ticksPerTimeRecord: UInt32 = 1 << 24

  private let capacity: Int
  private let gathersPages: Bool
  private let assumptions: LogAssumptions
  /// In flash, and therefore what is read out: from `first` on.
  private var flash: [LogEntry] = []
  private var first = 0
  private var gathered: [LogEntry] = []
  /// When full, the oldest page makes room; else what is new is lost.
  var overwritesOldest = false
  /// Since the board was made; as wide as the register that tells it.
  private(set) var pagesErased: UInt16 = 0
  private var timeRecords = 0
  private var lastTimeRecord: LogEntry?
  private var hasStaleEntry = false
  /// What happened since somebody asked; kept only for boards that somebody looks at.
  private var changes: [LedgerEntry] = []
  private let keepsLedger: Bool

  init(
    capacity: Int, gathersPages: Bool = false, assumptions: LogAssumptions = LogAssumptions(),
    keepsLedger: Bool = false
  ) {
    self.capacity = capacity
    self.gathersPages = gathersPages
    self.assumptions = assumptions
    self.keepsLedger = keepsLedger
  }

  /// Entries that can be read out.
  var count: Int { flash.count - first }
  var isFull: Bool { count >= capacity }

  /// What the board says of its length: not all of it need be there to be read out.
  var length: Int { count + timeRecords + (hasStaleEntry && count == 0 ? 1 : 0) }

  /// Up to `limit` entries from a place on.
  func entries(from place: Int, limit: Int) -> ArraySlice<LogEntry> {
    flash[min(first + place, flash.count)...].prefix(max(0, limit))
  }

  mutating func append(_ entry: LogEntry) {
    guard gathersPages else { return store(entry) }
    noteLogged(entry)
    gathered.append(entry)
    if gathered.count == Self.page { flush() }
  }

  /// Writes to flash what was gathered.
  mutating func flush() {
    for entry in gathered { store(entry) }
    gathered.removeAll()
  }

  /// The processor starts anew: what was not in flash is lost.
  mutating func losePower() {
    if !gathered.isEmpty { note(.removed(gathered.count, .power)) }
    gathered.removeAll()
  }

  /// The flash was erased.
  mutating func loseEverything() {
    losePower()
    remove(count, because: .update)
    forgetTimeRecords()
  }

  private mutating func store(_ entry: LogEntry) {
    if isFull {
      guard overwritesOldest, capacity > 0 else { return note(.refused) }
      remove(Self.page, because: .overwritten)
      pagesErased &+= 1
    }
    if !gathersPages { noteLogged(entry) }
    if assumptions.lengthCountsTimeRecords,
      lastTimeRecord.map({ !$0.isShortly(before: entry, within: Self.ticksPerTimeRecord) }) ?? true
    {
      timeRecords += 1
      lastTimeRecord = entry
    }
    hasStaleEntry = false
    flash.append(entry)
  }

  /// The host has stored the oldest `count` entries, which make up a page.
  mutating func confirmPage(of count: Int) {
    remove(count, because: .confirmed)
    pagesErased &+= 1
    if self.count == 0 { forgetTimeRecords() }
  }

  /// Drops the oldest, first of those in flash.
  mutating func dropOldest(_ count: Int) {
    let isAll = count >= self.count
    let stored = min(max(count, 0), self.count)
    remove(assumptions.dropsWholePages && !isAll ? stored / Self.page * Self.page : stored, because: .dropped)
    let unwritten = min(max(count, 0) - stored, gathered.count)
    if unwritten > 0 { note(.removed(unwritten, .dropped)) }
    gathered.removeFirst(unwritten)
    guard isAll else { return }
    forgetTimeRecords()
    hasStaleEntry = assumptions.staleEntryAfterDrop
  }

  private mutating func forgetTimeRecords() { (timeRecords, lastTimeRecord) = (0, nil) }

  private mutating func remove(_ count: Int, because removal: LedgerEntry.Removal) {
    let count = min(count, self.count)
    guard count > 0 else { return }
    note(.removed(count, removal))
    first += count
    // Now and then, so that a log that wraps for days neither grows nor is moved at every page.
    guard first > flash.count / 2 else { return }
    flash.removeFirst(first)
    first = 0
  }

  /// What happened since this was last asked.
  mutating func takeChanges() -> [LedgerEntry] {
    guard !changes.isEmpty else { return [] }
    defer { changes = [] }
    return changes
  }

  private mutating func note(_ entry: LedgerEntry) {
    if keepsLedger { changes.append(entry) }
  }

  private mutating func noteLogged(_ entry: LogEntry) {
    if keepsLedger { changes.append(.logged(entry.bytes)) }
  }
}
