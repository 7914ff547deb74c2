/// Answers to what no source says about the log (protocol reference 41, rows 1 to 6 and 16). A host must work with
/// every answer.
package struct LogAssumptions: Sendable, Equatable {
  /// In which order a read-out ends.
  package enum Ending: Sendable, CaseIterable {
    /// The last entries, the notice of their page, no progress left.
    case entriesPageProgress
    /// No progress left before the notice of the page.
    case entriesProgressPage
    /// No progress left, and only then the last packet of entries and the notice of their page.
    case progressEntriesPage
  }

  /// The length counts time records that are not handed out: one per reset and one per 2²⁴ ticks.
  package var lengthCountsTimeRecords = false
  /// A read-out of less than a page is one of a page, as far as the log goes.
  package var shortReadOutsAreRounded = false
  /// Without the switch for page notices the read-out streams on unconfirmed, and frees nothing.
  package var unnoticedPagesStreamOn = false
  /// A confirmed page stays until the log is cleared, as on older boards (fault F33).
  package var pagesStayUntilCleared = false
  /// A log may be read out while it grows.
  package var readsOutWhileLogging = false
  /// Less than a page is not dropped.
  package var dropsWholePages = false
  /// The register that says whether it logs reads 0 when the log is full.
  package var fullLogStops = false
  package var ending = Ending.entriesPageProgress
  /// One entry is counted after everything was dropped, until something is logged (fault F38).
  package var staleEntryAfterDrop = false

  package init() {}
}

/// By name, for those who choose from outside.
extension LogAssumptions {
  /// What can be chosen, and what it means.
  package static let choices: [(name: String, meaning: String)] = table.map { ($0.name, $0.meaning) }

  private static let table: [(name: String, meaning: String, set: @Sendable (inout LogAssumptions) -> Void)] =
    [
      (
        "time-records", "the length counts records that are not handed out",
        { $0.lengthCountsTimeRecords = true }
      ),
      ("rounded", "a short read-out is one of a page", { $0.shortReadOutsAreRounded = true }),
      (
        "unnoticed", "without page notices a read-out streams on and frees nothing",
        { $0.unnoticedPagesStreamOn = true }
      ),
      ("kept", "confirmed pages stay until the log is cleared", { $0.pagesStayUntilCleared = true }),
      ("reads-on", "a log can be read out while it grows", { $0.readsOutWhileLogging = true }),
      ("whole-pages", "only whole pages can be dropped", { $0.dropsWholePages = true }),
      ("full-stops", "a full log says that it does not log", { $0.fullLogStops = true }),
      ("stale", "an empty log counts one entry", { $0.staleEntryAfterDrop = true }),
      ("page-last", "the last page is noticed after the last progress", { $0.ending = .entriesProgressPage }),
      ("entries-last", "the last entries come after the last progress", { $0.ending = .progressEntriesPage }),
    ]

  /// Chooses one; false for a name that is none.
  package mutating func choose(_ name: String) -> Bool {
    guard let choice = Self.table.first(where: { $0.name == name }) else { return false }
    choice.set(&self)
    return true
  }
}
