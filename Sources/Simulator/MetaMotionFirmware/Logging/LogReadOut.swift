/// A read-out of the log under way: entries, two to a packet, page by page. A page waits to be confirmed, and only that
/// erases it; a link that ends before leaves it in the log (protocol reference 16.5).
struct LogReadOut: Sendable {
  /// What goes to the host, in order.
  enum Notice: Sendable, Equatable {
    case entries([LogEntry])
    case pageCompleted
    /// Entries that are left to be sent.
    case progress(UInt32)
  }

  /// Between packets: four in a connection interval of 15 ms (protocol reference 36).
  static let pace = Duration.microseconds(3_750)

  private var left: Int
  /// Entries between two reports of progress; 0 for one with each page.
  private let reportsEvery: Int
  private var sinceReport = 0
  /// Entries of the page that were sent. They are still the log's first ones.
  private var sent = 0
  /// The host has to confirm a page first.
  private(set) var isWaiting = false
  /// All was sent; the last page may still wait to be confirmed.
  private(set) var hasEnded = false

  /// Reads out the log's oldest `count` entries, or all where it holds fewer.
  init(_ count: UInt32, reportsEvery: UInt32, of log: EntryLog) {
    left = min(Int(clamping: count), log.entries.count)
    self.reportsEvery = Int(clamping: reportsEvery)
  }

  /// The next packet, and what follows it at once.
  mutating func next(of log: EntryLog) -> [Notice] {
    guard !isWaiting, !hasEnded else { return [] }
    let entries = Array(log.entries[sent...].prefix(min(2, left, EntryLog.page - sent)))
    var notices: [Notice] = entries.isEmpty ? [] : [.entries(entries)]
    sent += entries.count
    left -= entries.count
    sinceReport += entries.count
    let isPageFull = sent == EntryLog.page
    hasEnded = left == 0 && !isPageFull
    isWaiting = isPageFull || hasEnded
    if isWaiting { notices.append(.pageCompleted) }
    let isReportDue = reportsEvery == 0 ? isWaiting : sinceReport >= reportsEvery
    if isReportDue || hasEnded {
      sinceReport = 0
      notices.append(.progress(UInt32(clamping: left)))
    }
    return notices
  }

  /// The host has stored the page: its entries are erased.
  mutating func confirm(in log: inout EntryLog) {
    guard isWaiting else { return }
    isWaiting = false
    if sent > 0 { log.erasePage(of: sent) }
    sent = 0
  }
}
