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

  private let assumptions: LogAssumptions
  private var left: Int
  /// Entries between two reports of progress; 0 for one with each page.
  private let reportsEvery: Int
  private var sinceReport = 0
  /// Entries of pages that were confirmed but stay; they are still the log's first ones.
  private var kept = 0
  /// Entries of the page that were sent. They stand behind the kept ones.
  private(set) var sent = 0
  /// The host has to confirm a page first.
  private(set) var isWaiting = false
  /// All was sent; the last page may still wait to be confirmed.
  private(set) var hasEnded = false

  /// Reads out the log's oldest `count` entries, or all where it holds fewer.
  init(
    _ count: UInt32, reportsEvery: UInt32, of log: EntryLog, assumptions: LogAssumptions = LogAssumptions()
  ) {
    self.assumptions = assumptions
    let wanted =
      assumptions.shortReadOutsAreRounded ? max(Int(clamping: count), EntryLog.page) : Int(clamping: count)
    left = min(wanted, log.count)
    self.reportsEvery = Int(clamping: reportsEvery)
  }

  /// The next packet, and what goes with it. `hasPageNotices`: whether the host wants to be told of pages.
  mutating func next(of log: EntryLog, hasPageNotices: Bool = true) -> [Notice] {
    guard !isWaiting, !hasEnded else { return [] }
    let entries = Array(log.entries(from: kept + sent, limit: min(2, left, EntryLog.page - sent)))
    sent += entries.count
    left -= entries.count
    sinceReport += entries.count
    let isPageFull = sent == EntryLog.page
    hasEnded = left == 0 && !isPageFull
    isWaiting = isPageFull || hasEnded
    let isReportDue = reportsEvery == 0 ? isWaiting : sinceReport >= reportsEvery
    var page: [Notice] = isWaiting ? [.pageCompleted] : []
    var progress: [Notice] = []
    if isReportDue || hasEnded {
      sinceReport = 0
      progress = [.progress(UInt32(clamping: left))]
    }
    if isWaiting, assumptions.unnoticedPagesStreamOn, !hasPageNotices {
      (kept, sent, isWaiting) = (kept + sent, 0, false)
      page = []
    }
    let entryNotices: [Notice] = entries.isEmpty ? [] : [.entries(entries)]
    switch assumptions.ending {
    case .progressEntriesPage where hasEnded: return progress + entryNotices + page
    case .entriesProgressPage: return entryNotices + progress + page
    case .entriesPageProgress, .progressEntriesPage: return entryNotices + page + progress
    }
  }

  /// The host has stored the page: its entries are erased, unless they stay until the log is cleared.
  mutating func confirm(in log: inout EntryLog) {
    guard isWaiting else { return }
    isWaiting = false
    if assumptions.pagesStayUntilCleared {
      kept += sent
    } else if sent > 0 {
      log.confirmPage(of: sent)
    }
    sent = 0
  }
}
