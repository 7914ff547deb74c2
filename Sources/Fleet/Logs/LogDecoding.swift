package import BoardKit
package import FleetModel
package import Storage

/// Reads a session's samples from the archive, a few pieces at a time, as they are published.
package struct LogDecoding {
  private let reader: ArchiveReader
  private let format: LogFormat
  private static let pieces = 16

  package init(reader: ArchiveReader, format: LogFormat) { (self.reader, self.format) = (reader, format) }

  /// A stream's name in topics, and in what is written.
  package static func wireName(_ name: String) -> String { LogLane.wireName(name) }

  /// Hands all batches of a session to `take`, with the entries that were read since the last time. Returns false when
  /// not all entries are in the archive any more; then `take` gets nothing.
  package func read(_ session: LogSession, _ take: ([SampleBatch], Int) throws -> Void) throws -> Bool {
    guard
      var lane = LogLane(
        session, format: format, from: LogCursor(), behind: try reader.earlierLane(of: session.id))
    else { return false }
    while true {
      let before = lane.scanned
      lane.scan(try reader.pieces(of: session.id, from: before, limit: Self.pieces))
      if lane.scanned == before { break }
    }
    lane.judgeScanned(isOver: true)
    guard lane.scanned >= session.stored else { return false }
    let history = BoardHistory(try reader.anchors(of: session.board), timing: format.timing)
    let gaps = try reader.gaps(of: session.id)
    while lane.position < lane.scanned {
      let pieces = try reader.pieces(of: session.id, from: lane.position, limit: Self.pieces)
      guard !pieces.isEmpty else { return false }
      let batches = lane.publish(pieces, gaps: gaps, history: history)
      try take(batches, pieces.reduce(0) { $0 + $1.count })
    }
    return true
  }
}
