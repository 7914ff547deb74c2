/// The entries of the log, oldest first: pages in flash memory, and on boards that gather a page before they write it,
/// what is still in their memory (protocol reference 16.3).
struct EntryLog: Sendable {
  /// Entries per page of flash; pages are erased whole.
  static let page = 512

  private let capacity: Int
  private let gathersPages: Bool
  /// In flash, and therefore what is counted and read out.
  private(set) var entries: [LogEntry] = []
  private var gathered: [LogEntry] = []
  /// When full, the oldest page makes room; else what is new is lost.
  var overwritesOldest = false
  /// Since the board was made; as wide as the register that tells it.
  private(set) var pagesErased: UInt16 = 0

  init(capacity: Int, gathersPages: Bool = false) {
    self.capacity = capacity
    self.gathersPages = gathersPages
  }

  mutating func append(_ entry: LogEntry) {
    guard gathersPages else { return store(entry) }
    gathered.append(entry)
    if gathered.count == Self.page { flush() }
  }

  /// Writes to flash what was gathered.
  mutating func flush() {
    for entry in gathered { store(entry) }
    gathered.removeAll()
  }

  /// The processor starts anew: what was not in flash is lost.
  mutating func losePower() { gathered.removeAll() }

  private mutating func store(_ entry: LogEntry) {
    if entries.count >= capacity {
      guard overwritesOldest, capacity > 0 else { return }
      erasePage(of: Self.page)
    }
    entries.append(entry)
  }

  /// Erases a page that holds so many entries.
  mutating func erasePage(of count: Int) {
    entries.removeFirst(min(count, entries.count))
    pagesErased &+= 1
  }

  /// Drops the oldest, first of those in flash.
  mutating func dropOldest(_ count: Int) {
    let stored = min(max(count, 0), entries.count)
    entries.removeFirst(stored)
    gathered.removeFirst(min(max(count, 0) - stored, gathered.count))
  }
}
