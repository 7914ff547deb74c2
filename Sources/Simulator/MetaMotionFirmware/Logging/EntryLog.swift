/// The entries in flash memory, oldest first.
struct EntryLog: Sendable {
  /// Entries per page of flash; pages are erased whole.
  static let page = 512

  private let capacity: Int
  private(set) var entries: [LogEntry] = []
  /// When full, the oldest page makes room; else what is new is lost.
  var overwritesOldest = false

  init(capacity: Int) { self.capacity = capacity }

  mutating func append(_ entry: LogEntry) {
    if entries.count >= capacity {
      guard overwritesOldest, capacity > 0 else { return }
      dropOldest(Self.page)
    }
    entries.append(entry)
  }

  mutating func dropOldest(_ count: Int) { entries.removeFirst(min(max(count, 0), entries.count)) }
}
