package import FleetModel

/// An uninterrupted run of a stream's samples of which some are kept for exports.
package struct KeptStream: Hashable, Sendable, Identifiable {
  /// The session that its batches bear on the record lane.
  package var id: ULID
  package var board: BoardID
  /// The name in topics.
  package var stream: String
  /// Resets of the board as this fleet counted them, while it ran.
  package var boot: Int
  package var fields: [StreamDefinition.Field]
  /// Times of the first and the last sample that is kept.
  package var (started, ended): (Timestamp, Timestamp)
  package var samples: Int
  package var bytes: Int
  /// Samples that are known to be missing between those that are kept; -1 when nobody knows how many.
  package var lost: Int
  /// Whether more of it may come.
  package var isRunning: Bool

  package init(
    id: ULID, board: BoardID, stream: String, boot: Int, fields: [StreamDefinition.Field], started: Timestamp,
    ended: Timestamp, samples: Int, bytes: Int, lost: Int = 0, isRunning: Bool = false
  ) {
    (self.id, self.board, self.stream, self.boot, self.fields) = (id, board, stream, boot, fields)
    (self.started, self.ended, self.samples, self.bytes) = (started, ended, samples, bytes)
    (self.lost, self.isRunning) = (lost, isRunning)
  }
}

/// How much is kept of streams. Kept in step by every transaction, because counting reads all rows.
package struct KeptAmount: Hashable, Sendable {
  package var samples = 0
  /// Bytes of the samples, without what the database needs beside.
  package var bytes = 0

  package init(samples: Int = 0, bytes: Int = 0) { (self.samples, self.bytes) = (samples, bytes) }

  static func + (left: KeptAmount, right: KeptAmount) -> KeptAmount {
    KeptAmount(samples: left.samples + right.samples, bytes: left.bytes + right.bytes)
  }

  static func - (left: KeptAmount, right: KeptAmount) -> KeptAmount {
    KeptAmount(samples: left.samples - right.samples, bytes: left.bytes - right.bytes)
  }
}
