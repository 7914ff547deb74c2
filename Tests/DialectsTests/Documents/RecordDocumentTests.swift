import FleetModel
import Testing

@testable import Dialects

@Suite struct RecordDocumentTests {
  private static let fields = [
    StreamDefinition.Field("ax_g", "g", decimals: 6), .init("steps", "", .integer),
  ]

  private static func example(_ change: (inout SampleBatch) -> Void = { _ in }) -> SampleBatch {
    var batch = SampleBatch(
      board: .example, stream: "acceleration", fields: fields, session: .example, boot: 2, sequence: 7,
      gapBefore: -1,
      clock: ClockQuality(
        source: .boardTick, errorMilliseconds: 0.8, drift: -11.3,
        anchor: Timestamp(milliseconds: 1_763_671_200_000)),
      configuration: nil)
    batch.times = [1_763_671_234_567_123_000, 1_763_671_234_577_121_000].map { Timestamp(nanoseconds: $0) }
    batch.values = [0.012, 3, -0.5, 4]
    change(&batch)
    return batch
  }

  private static func read(
    _ bytes: [UInt8], declared: [StreamDefinition.Field] = fields
  ) -> SampleBatch? {
    RecordDocument(bytes)?.batch { board, stream in
      board == .example && stream == "acceleration" ? declared : []
    }
  }

  @Test func `a batch is read as it was written`() {
    let doubtful = Self.example {
      $0.doubts = [.configUnverified, .rateLow]
      $0.origin = .flash
    }
    for batch in [Self.example(), doubtful] {
      #expect(Self.read(SampleCodec.record(batch, gateway: "gw")) == batch)
    }
    #expect(RecordDocument(SampleCodec.record(doubtful, gateway: "gw"))?[.gateway] == "gw")
  }

  @Test func `the same line protocol comes of it, also where a value was left out`() {
    for batch in [Self.example(), Self.example { $0.values = [.nan, 3, 0.25, .nan] }] {
      let read = Self.read(SampleCodec.record(batch, gateway: "gw"))
      let lines = read.map { LineProtocol.lines($0, gateway: "gw").count }
      #expect(lines == LineProtocol.lines(batch, gateway: "gw").count)
    }
  }

  @Test func `fields that nobody declares are numbers`() {
    let read = Self.read(SampleCodec.record(Self.example(), gateway: "gw"), declared: [])
    #expect(read?.fields.map(\.kind) == [.number, .number] && read?.fields.map(\.name) == ["ax_g", "steps"])
    #expect(read?.values == [0.012, 3, -0.5, 4])
  }

  @Test(arguments: [
    "board", "stream", "session", "boot", "seq", "count", "samples",
  ])
  func `without what every batch has it is none`(key: String) throws {
    var object = try #require(
      try StrictJSON.parse(SampleCodec.record(Self.example(), gateway: "gw"), limits: .trusting).object)
    object[key] = nil
    #expect(Self.read(JSONWriter.render(object)) == nil)
  }

  @Test(
    arguments: [
      ("seq", -1), ("seq", .integer(1 << 60)), ("count", 3), ("samples", []), ("samples", [1, 2]),
      ("samples", [["ts_us": 1], ["ax_g": 2]]), ("samples", [["ts_us": 1], ["ts_us": .integer(.max)]]),
      ("session", "01JDB"), ("board", "pump"), ("stream", ""),
    ] as [(String, JSONValue)])
  func `what cannot be is no batch either`(key: String, value: JSONValue) throws {
    var object = try #require(
      try StrictJSON.parse(SampleCodec.record(Self.example(), gateway: "gw"), limits: .trusting).object)
    object[key] = value
    #expect(Self.read(JSONWriter.render(object)) == nil)
  }
}
