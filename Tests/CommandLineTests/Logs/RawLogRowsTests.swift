import Dialects
import FleetModel
import Foundation
import Storage
import Testing

@testable import metafleet

@Suite struct RawLogRowsTests {
  private static let piece = LogPiece(position: 7, count: 2, entries: LogExample.entries(2))

  @Test func `F114 raw entries are written as they came, read or not`() {
    let session = LogExample.session(streams: [])
    let csv = RawLogRows(rows: .csv, format: LogExample.format)
    #expect(
      String(decoding: csv.header + csv.lines(of: [Self.piece], session: session), as: UTF8.self)
        == "board,session,number,reset_uid,tick,entry\r\n"
        + "c0ffee000001,\(session.id),7,0,0,0000000000\r\nc0ffee000001,\(session.id),8,0,10,000a000000\r\n")
    let json = RawLogRows(rows: .jsonl, format: LogExample.format)
    #expect(json.header.isEmpty)
    let lines = String(decoding: json.lines(of: [Self.piece], session: session), as: UTF8.self)
    #expect(lines.split(separator: "\n").count == 2 && lines.contains(#""number":8"#))
    #expect(lines.contains(#""entry":"000a000000""#))
  }

  @Test func `F114 all raw entries of a session are written, and sessions that lack some are named`()
    async throws
  {
    try await withScratchDirectory { directory in
      let session = try await LogExample.fill(directory.path, entries: 1_200)
      let reader = try #require(try ArchiveReader(directory: directory.path))
      var sessions = try reader.sessions()
      var text = ""
      let rows = RawLogRows(rows: .csv, format: LogExample.format)
      let outcome = try rows.write(sessions, of: reader) { text += String(decoding: $0, as: UTF8.self) }
      #expect(outcome == ExportOutcome(rows: 1_200) && text.split(separator: "\r\n").count == 1_202)
      #expect(text.hasSuffix("\r\n# rows: 1200\r\n"))
      sessions[0].stored += 1
      #expect(try rows.write(sessions, of: reader) { _ in }.missing == [session.id])
    }
  }
}
