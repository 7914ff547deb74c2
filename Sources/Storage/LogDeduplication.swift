/// Tells what a board sends again from what is new, while its log is read out. Pure: the archive is seen through
/// `follow`.
///
/// A read-out is a piece of the board's log from some page on, and what is archived is that log up to some entry. So
/// what is sent again is a *run* that begins where a page began and goes on to the archive's end; only all of it
/// together tells, since single entries may be alike (several samples on one tick, fault F45). While it is not clear,
/// whole pages that agree count as repeats. Where a page deviates from all runs it is new from its beginning: an entry
/// may then be there twice, but none is lost.
struct LogDeduplication: Hashable, Sendable {
  /// A place in what is archived of a board.
  struct Place: Hashable, Sendable {
    /// The piece's number in the archive.
    var piece: Int64
    /// Entry within it.
    var entry: Int
  }

  /// How the entry at a place compares with the one that came.
  enum Comparison: Hashable, Sendable {
    case differs
    /// They are equal, and the archive goes on there.
    case equal(next: Place)
    /// They are equal, and it was the archive's last.
    case equalAndLast
  }

  /// What becomes of an entry that came.
  enum Verdict: Hashable, Sendable {
    case isRepeat
    /// It is new, and so are as many entries before it that were taken for repeats.
    case isNew(andBefore: Int)
  }

  /// Boards that end no pages would have us doubt for ever: more entries than this that agree are no accident.
  static let longestDoubt = 4_096

  /// Where runs that agree so far go on; empty once everything is new.
  private(set) var runs: [Place]
  /// Entries of the open page that were taken for repeats and may turn out new.
  private(set) var doubtful = 0

  /// Begins a read-out; `starts` are the places of page starts whose entry equals the first that comes.
  init(from starts: [Place]) { runs = starts }

  /// Whether all that comes is new from here on.
  var isOver: Bool { runs.isEmpty }

  /// Takes the next entry.
  mutating func next(_ compare: (Place) throws -> Comparison) rethrows -> Verdict {
    guard !isOver else { return .isNew(andBefore: 0) }
    var going: [Place] = []
    for place in runs {
      switch try compare(place) {
      case .differs: continue
      case .equal(let next): going.append(next)
      case .equalAndLast:
        // All that is archived was told again. A longer run that agrees, too, would only ever drop more.
        (runs, doubtful) = ([], 0)
        return .isRepeat
      }
    }
    runs = going
    guard !isOver else {
      defer { doubtful = 0 }
      return .isNew(andBefore: doubtful)
    }
    doubtful = doubtful < Self.longestDoubt ? doubtful + 1 : 0
    return .isRepeat
  }

  /// The board ended a page: what agreed is a repeat for good.
  mutating func pageEnded() { doubtful = 0 }
}
