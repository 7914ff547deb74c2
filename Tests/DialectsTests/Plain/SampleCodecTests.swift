import Dialects
import FleetModel
import Testing

/// MQTT API 3.1 and 3.2, MQTT contract 1.7.
@Suite struct SampleCodecTests {
  private let acceleration = ["ax_g", "ay_g", "az_g"].map { StreamDefinition.Field($0, "g", decimals: 5) }

  private func batch(
    _ samples: [(Timestamp, [Double])], sequence: Int = 18_200, gap: Int = 0,
    clock: ClockQuality = ClockQuality(source: .boardTick, errorMilliseconds: 0.8),
    configuration: JSONObject? = nil
  ) -> SampleBatch {
    var batch = SampleBatch(
      board: .example, stream: "acceleration", fields: acceleration, session: .example, boot: 5,
      sequence: sequence, gapBefore: gap, clock: clock, configuration: configuration)
    batch.times = samples.map(\.0)
    batch.values = samples.flatMap(\.1)
    return batch
  }

  private func record(_ batch: SampleBatch) throws -> JSONObject {
    try object(SampleCodec.record(batch, gateway: "gw-3f-east"))
  }

  @Test func `live as in the example`() throws {
    let sample = LiveSample(
      board: .example, stream: "acceleration", fields: acceleration,
      time: Timestamp(nanoseconds: 1_763_671_234_567_890_123), sequence: 18_231,
      values: [0.012, -0.981, 0.034])
    let expected = try object(
      """
      {"ts_ms":1763671234567,"ax_g":0.012,"ay_g":-0.981,"az_g":0.034,"seq":18231,"board":"e5a1c2d3f4b6",
       "stream":"acceleration","gw":"gw-3f-east"}
      """)
    let live = try object(SampleCodec.live(sample, gateway: "gw-3f-east"))
    #expect(live == expected)
    #expect(live.members.allSatisfy { $0.value.object == nil && $0.value.array == nil }, "live is flat")
  }

  @Test func `scalars flags and integers look the same`() throws {
    func live(_ field: StreamDefinition.Field, _ value: Double) throws -> JSONValue? {
      let sample = LiveSample(
        board: .example, stream: "x", fields: [field], time: Timestamp(milliseconds: 1), sequence: 0,
        values: [value])
      return try object(SampleCodec.live(sample, gateway: "gw"))[field.name]
    }
    #expect(try live(.init("temperature_c", "°C", decimals: 3), 21.4404) == 21.44)
    #expect(try live(.init("pressed", "", .flag), 1) == .integer(1))
    #expect(try live(.init("battery_pct", "%", .integer), 81) == .integer(81))
    #expect(try live(.init("battery_mv", "mV", .integer), 4_011.7) == .integer(4_012))
  }

  @Test func `record as in the example`() throws {
    let document = try record(
      batch([
        (Timestamp(nanoseconds: 1_763_671_234_567_123_999), [0.012, -0.981, 0.034]),
        (Timestamp(nanoseconds: 1_763_671_234_577_121_000), [0.011, -0.980, 0.034]),
      ]))
    let session = ULID.example.description
    let expected = try object(
      """
      {"v":1,"board":"e5a1c2d3f4b6","stream":"acceleration","gw":"gw-3f-east","origin":"stream","session":"\(session)",
       "boot":5,"seq":18200,"count":2,"gap_before":0,"batch_id":"\(session).acceleration.18200",
       "clock":{"source":"board-tick","err_ms":0.8},
       "samples":[{"ts_us":1763671234567123,"ax_g":0.012,"ay_g":-0.981,"az_g":0.034},
                  {"ts_us":1763671234577121,"ax_g":0.011,"ay_g":-0.98,"az_g":0.034}]}
      """)
    #expect(document == expected)
  }

  @Test func `the first batch of a session carries the configuration`() throws {
    let document = try record(
      batch([(Timestamp(milliseconds: 1), [1, 2, 3])], configuration: ["rate_hz": 50, "packed": "auto"]))
    #expect(document["config"] == ["rate_hz": 50, "packed": "auto"])
  }

  private static let gapCases = [0, 1, 250, -1]

  @Test(arguments: gapCases)
  func `known and uncountable losses`(count: Int) throws {
    #expect(
      try record(batch([(Timestamp(milliseconds: 1), [1, 2, 3])], gap: count))["gap_before"]?.integer
        == Int64(count))
  }

  private static let clockCases: [(ClockQuality, JSONObject)] = [
    (ClockQuality(source: .arrival, errorMilliseconds: 100), ["source": "arrival", "err_ms": 100]),
    (ClockQuality(source: .unknown, errorMilliseconds: nil), ["source": "unknown"]),
    (
      ClockQuality(source: .boardTick, errorMilliseconds: 0.12345), ["source": "board-tick", "err_ms": 0.123]
    ),
  ]

  @Test(arguments: clockCases)
  func `a guessed time is never published as a measured one`(clock: ClockQuality, document: JSONObject) throws
  {
    #expect(
      try record(batch([(Timestamp(milliseconds: 1), [1, 2, 3])], clock: clock))["clock"]?.object == document)
  }

  @Test func `the batch id names session, stream and first sample, so the same id carries the same bytes`()
    throws
  {
    let one = batch([(Timestamp(milliseconds: 1), [1, 2, 3])], sequence: 7)
    #expect(SampleCodec.record(one, gateway: "gw") == SampleCodec.record(one, gateway: "gw"))
    #expect(try record(one)["batch_id"] == .string("\(ULID.example).acceleration.7"))
  }

  @Test func `no NaN and no infinity: the key is left out`() throws {
    let document = try record(batch([(Timestamp(milliseconds: 1), [.nan, 1, -.infinity])]))
    #expect(document["samples"] == [["ts_us": 1_000, "ay_g": 1]])
  }

  @Test func `a full batch of 500 samples stays below 256 KiB, whatever the values`() {
    let wide = (0..<500).map {
      (Timestamp(nanoseconds: .max - Int64($0)), [-15.99999, -15.99999, -15.99999])
    }
    #expect(SampleCodec.record(batch(wide), gateway: String(repeating: "g", count: 32)).count < 256 * 1024)
  }

  @Test func `quality is left out when good, and says why otherwise`() throws {
    let time = Timestamp(nanoseconds: 1_763_671_234_567_123_999)
    var batch = batch([(time, [1, 2, 3])])
    #expect(try record(batch)["quality"] == nil)
    #expect(try record(batch)["quality_reasons"] == nil)
    batch.doubts = [.rateLow, .configUnverified]
    #expect(try record(batch)["quality"] == "uncertain")
    #expect(try record(batch)["quality_reasons"] == ["config-unverified", "rate-low"])
    let live = LiveSample(
      board: .example, stream: "acceleration", fields: acceleration, time: Timestamp(milliseconds: 1_000),
      sequence: 0, values: [1, 2, 3], doubts: [.rateLow])
    let sample = try object(SampleCodec.live(live, gateway: "gw"))
    #expect(sample["quality"] == "uncertain")
    #expect(sample["quality_reasons"] == "rate-low,clock-unknown")
  }
}
