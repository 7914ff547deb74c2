package import FleetModel

/// One run of a board's log: from logging switched on to the end of the download that emptied it.
package struct LogSession: Hashable, Sendable, Identifiable {
  /// What is known of its entries on the board.
  package enum Progress: String, Sendable, CaseIterable {
    /// The board writes, or may; nothing was read out yet.
    case logging
    /// A read-out began and did not come to its end.
    case reading
    /// All that the board counted is stored; it may still be there, too.
    case complete
    /// A read-out came to its end with less or more than the board counted: nothing may be erased.
    case short
    /// The board holds nothing of it any more.
    case cleared
  }

  package var id: ULID
  package var board: BoardID
  package var started: Timestamp
  /// The logger map: what the entries of which slots are.
  package var streams: [LoggedStream]
  /// Resets of the board as this fleet counted them, when it began.
  package var boot: Int
  /// The board's own number of that reset.
  package var resetID: Int
  /// The board's clock when it began, as it was looked at; nil for a session that was only found at a download.
  package var tick: UInt32?
  package var progress: Progress
  /// Distinct entries that it should have, as the board counted them at the start of the latest read-out; nil before
  /// one. Too large while a read-out may still tell what is stored already.
  package var expected: Int?
  /// Distinct entries in the archive.
  package var stored: Int
  /// Whether something of it was erased on the board before the broker had it, although the profile asked for that.
  package var isErasedBeforePublished = false
  /// The board's count of recycled pages when it began; nil of boards that do not tell.
  package var recycledPages: Int?

  package init(
    id: ULID, board: BoardID, started: Timestamp, streams: [LoggedStream], boot: Int, resetID: Int,
    tick: UInt32? = nil, progress: Progress = .logging, expected: Int? = nil, stored: Int = 0,
    recycledPages: Int? = nil
  ) {
    (self.id, self.board, self.started, self.streams) = (id, board, started, streams)
    (self.boot, self.resetID, self.tick, self.progress) = (boot, resetID, tick, progress)
    (self.expected, self.stored, self.recycledPages) = (expected, stored, recycledPages)
  }

  /// Entries that the board counted and that can come no more.
  package var lost: Int {
    guard progress == .cleared || progress == .short, let expected else { return 0 }
    return max(0, expected - stored)
  }

  /// Whether entries of it are, or may be, on the board.
  package var isOpen: Bool { progress != .cleared }
}

extension LogSession.Progress {
  /// What a read-out leaves behind that came to an end: complete only when it brought exactly what the board counted at
  /// its start (invariant I2). One that was cut off says nothing, and is taken up again.
  package static func after(isFinished: Bool, received: Int, counted: Int) -> Self {
    guard isFinished else { return .reading }
    return received == counted ? .complete : .short
  }
}
