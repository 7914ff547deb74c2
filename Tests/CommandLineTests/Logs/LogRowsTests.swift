import Dialects
import FleetModel
import Storage
import Testing

@testable import metafleet

@Suite struct LogRowsTests {
  private static func batch(_ stream: LoggedStream, error: Double?, values: [Double]) -> SampleBatch {
    var batch = SampleBatch(
      board: LogExample.board, stream: stream.name, fields: stream.fields, session: LogExample.session().id,
      boot: 3,
      sequence: 7, gapBefore: 0,
      clock: ClockQuality(source: error == nil ? .unknown : .boardTick, errorMilliseconds: error),
      configuration: nil, origin: .flash)
    batch.times = values.indices.map {
      Timestamp(nanoseconds: 1_763_671_234_999_990_000 + Int64($0) * 10_000)
    }
    batch.values = values
    return batch
  }

  private static func text(_ format: LogRows.Format, _ batches: [SampleBatch]) -> String {
    var rows = LogRows(format, streams: LogExample.streams)
    rows.header()
    for batch in batches { rows.add(batch) }
    return String(decoding: rows.take(), as: UTF8.self)
  }

  @Test func `CSV has a header, and a column for every field of every stream`() {
    let text = Self.text(
      .csv,
      [
        Self.batch(LogExample.streams[0], error: 0.8, values: [21.5, -0.125]),
        Self.batch(LogExample.streams[1], error: nil, values: [1]),
      ])
    let session = LogExample.session().id
    #expect(
      text == """
        time,error_ms,clock,board,session,boot,stream,seq,temperature_c,pressed\r
        2025-11-20T20:40:34.999990Z,0.8,board-tick,c0ffee000001,\(session),3,temperature-die,7,21.5,\r
        2025-11-20T20:40:35.000000Z,0.8,board-tick,c0ffee000001,\(session),3,temperature-die,8,-0.125,\r
        2025-11-20T20:40:34.999990Z,,unknown,c0ffee000001,\(session),3,switch,7,,1\r

        """)
  }

  @Test func `JSON Lines leave out what there is not`() throws {
    let text = Self.text(.jsonl, [Self.batch(LogExample.streams[1], error: nil, values: [1])])
    let session = LogExample.session().id
    #expect(
      text
        == #"{"time":"2025-11-20T20:40:34.999990Z","clock":"unknown","board":"c0ffee000001","session":"\#(session)","boot":3,"stream":"switch","seq":7,"pressed":1}"#
        + "\n")
  }

  @Test(arguments: [(-1, "1969-12-31T23:59:59.999999Z"), (0, "1970-01-01T00:00:00.000000Z")])
  func `times have six digits, before 1970, too`(microseconds: Int64, text: String) {
    var stamp = StampText()
    let time = Timestamp(nanoseconds: microseconds * 1_000)
    stamp.set(time)
    #expect(String(decoding: stamp.bytes, as: UTF8.self) == text)
  }
}
