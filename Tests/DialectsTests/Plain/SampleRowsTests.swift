import Dialects
import FleetModel
import Testing

@Suite struct SampleRowsTests {
  private static let temperature = [StreamDefinition.Field("temperature_c", "°C", decimals: 3)]
  private static let pressed = [StreamDefinition.Field("pressed", "", .flag)]

  private static func batch(
    _ stream: String, _ fields: [StreamDefinition.Field], error: Double?, values: [Double], gapBefore: Int = 0
  ) -> SampleBatch {
    var batch = SampleBatch(
      board: .example, stream: stream, fields: fields, session: .example, boot: 3, sequence: 7,
      gapBefore: gapBefore,
      clock: ClockQuality(source: error == nil ? .unknown : .boardTick, errorMilliseconds: error),
      configuration: nil, origin: .flash)
    batch.times = (0..<values.count / fields.count).map {
      Timestamp(nanoseconds: 1_763_671_234_999_990_000 + Int64($0) * 10_000)
    }
    batch.values = values
    return batch
  }

  private static func text(
    _ format: SampleRows.Format, _ batches: [SampleBatch], name: String? = "Pump 3", isOpen: Bool = false
  ) -> String {
    var rows = SampleRows(format, fields: temperature + pressed + temperature, isOpen: isOpen)
    rows.header()
    for batch in batches { rows.add(batch, name: name, gateway: "gw") }
    rows.end()
    return String(decoding: rows.take(), as: UTF8.self)
  }

  @Test
  func `F231 CSV has a header, a column for every field of every stream, and the number of rows at its end`()
  {
    let text = Self.text(
      .csv,
      [
        Self.batch("temperature-die", Self.temperature, error: 0.8, values: [21.5, -0.125], gapBefore: -1),
        Self.batch("switch", Self.pressed, error: nil, values: [1]),
      ])
    let head =
      "time,error_ms,clock,board,board_name,session,boot,stream,seq,gap_before,quality_reasons,temperature_c,pressed"
    let origin = "e5a1c2d3f4b6,Pump 3,\(ULID.example),3"
    #expect(
      text == """
        \(head)\r
        2025-11-20T20:40:34.999990Z,0.8,board-tick,\(origin),temperature-die,7,-1,,21.5,\r
        2025-11-20T20:40:35.000000Z,0.8,board-tick,\(origin),temperature-die,8,,,-0.125,\r
        2025-11-20T20:40:34.999990Z,,unknown,\(origin),switch,7,,clock-unknown,,1\r
        # rows: 3\r

        """)
  }

  @Test func `JSON Lines leave out what there is not`() {
    let text = Self.text(.jsonl, [Self.batch("switch", Self.pressed, error: 2, values: [1])], name: nil)
    #expect(
      text
        == #"{"time":"2025-11-20T20:40:34.999990Z","error_ms":2,"clock":"board-tick","board":"e5a1c2d3f4b6","session":"\#(ULID.example)","boot":3,"stream":"switch","seq":7,"pressed":1}"#
        + "\n")
  }

  @Test func `JSON Lines have the name as it is, and what is to be said of a sample`() throws {
    let batch = Self.batch("switch", Self.pressed, error: nil, values: [1], gapBefore: 4)
    let line = Self.text(.jsonl, [batch], name: "a\"b\n=Ü").dropLast()
    let object = try #require(try StrictJSON.parse(Array(line.utf8)).object)
    #expect(object["board_name"] == "a\"b\n=Ü" && !line.contains("\n"))
    #expect(object["gap_before"] == 4 && object["quality_reasons"] == "clock-unknown")
  }

  @Test func `line protocol is that of the lane, with the number of rows as a comment`() {
    let batch = Self.batch("switch", Self.pressed, error: 2, values: [1, 0])
    #expect(
      Self.text(.lp, [batch])
        == String(decoding: LineProtocol.lines(batch, gateway: "gw"), as: UTF8.self) + "# rows: 2\n")
  }

  @Test func `values without a column of their own stand in the last one`() {
    let fields = [StreamDefinition.Field("x,y", "", decimals: 2), .init("z", "", decimals: 2)]
    let text = Self.text(
      .csv,
      [Self.batch("shaking", fields + Self.temperature, error: 1, values: [0.25, .nan, 20, 1, 2, .nan])],
      isOpen: true)
    let lines = text.split(separator: "\r\n")
    #expect(lines[0].hasSuffix(",temperature_c,pressed,other"))
    #expect(lines[1].hasSuffix(",shaking,7,,,20,,\"x,y=0.25\""))
    #expect(lines[2].hasSuffix(",shaking,8,,,,,\"x,y=1 z=2\""))
  }

  @Test(arguments: [(-1, "1969-12-31T23:59:59.999999Z"), (0, "1970-01-01T00:00:00.000000Z")])
  func `times have six digits, before 1970, too`(microseconds: Int64, text: String) {
    var stamp = StampText()
    stamp.set(Timestamp(nanoseconds: microseconds * 1_000))
    #expect(String(decoding: stamp.bytes, as: UTF8.self) == text)
  }
}
