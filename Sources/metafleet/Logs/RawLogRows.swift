import BoardKit
import Dialects
import FleetModel
import Storage

/// Writes raw entries of logs as rows of CSV or JSON Lines, decoded or not: what nobody can read yet is not lost.
struct RawLogRows {
  let rows: SampleRows.Format
  let format: LogFormat

  /// The first line of CSV; empty for JSON Lines.
  var header: [UInt8] { rows == .csv ? Array("board,session,number,reset_uid,tick,entry\r\n".utf8) : [] }

  /// Writes all there is, a few pages at a time.
  func write(
    _ sessions: [LogSession], of reader: ArchiveReader, to write: ([UInt8]) throws -> Void
  ) throws -> ExportOutcome {
    try write(header)
    var outcome = ExportOutcome()
    for session in sessions {
      var position = 0
      while case let pieces = try reader.pieces(of: session.id, from: position, limit: 16),
        let last = pieces.last
      {
        // What was purged is missing at the front.
        if pieces[0].position != position { break }
        try write(lines(of: pieces, session: session))
        position = last.position + last.count
        outcome.rows += pieces.reduce(0) { $0 + $1.count }
      }
      if position < session.stored { outcome.missing.append(session.id) }
    }
    try write(rows.ending(rows: outcome.rows))
    return outcome
  }

  /// One row per entry: its number within the session, the board's reset and tick, and all its bytes.
  func lines(of pieces: [LogPiece], session: LogSession) -> [UInt8] {
    var lines: [UInt8] = []
    for piece in pieces {
      let bytes = piece.entries.span.bytes
      for (index, offset) in stride(from: 0, to: bytes.byteCount, by: format.entrySize).enumerated() {
        let end = min(bytes.byteCount, offset + format.entrySize)
        lines += line(
          session, number: piece.position + index, format.clock(bytes, offset),
          Hex.string(Array(piece.entries[offset..<end])))
      }
    }
    return lines
  }

  private func line(_ session: LogSession, number: Int, _ clock: BoardTick?, _ entry: String) -> [UInt8] {
    switch rows {
    case .csv:
      let (reset, tick) = (clock.map { "\($0.resetID)" } ?? "", clock.map { "\($0.tick)" } ?? "")
      return Array("\(session.board),\(session.id),\(number),\(reset),\(tick),\(entry)\r\n".utf8)
    case .jsonl, .lp:
      var object: JSONObject = [
        "board": .string(session.board.description), "session": .string(session.id.description),
        "number": .integer(Int64(number)),
      ]
      object["reset_uid"] = clock.map { .integer(Int64($0.resetID)) }
      object["tick"] = clock.map { .integer(Int64($0.tick)) }
      object["entry"] = .string(entry)
      return JSONWriter.render(object) + Array("\n".utf8)
    }
  }
}
