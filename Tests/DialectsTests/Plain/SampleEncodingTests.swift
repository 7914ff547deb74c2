import Dialects
import FleetModel
import Testing

/// In which encodings batches go out.
@Suite struct SampleEncodingTests {
  private let encodings = SampleEncodings()
  private var dialect: PlainDialect {
    PlainDialect(topics: TopicTree(base: "m", gateway: "gw"), encodings: encodings)
  }

  private func batch(_ origin: SampleBatch.Origin = .stream) -> SampleBatch {
    var batch = SampleBatch(
      board: .example, stream: "pressure", fields: [.init("pressure_pa", "Pa", decimals: 2)],
      session: .example, boot: 1, sequence: 0, gapBefore: 0,
      clock: ClockQuality(source: .arrival, errorMilliseconds: 100), configuration: nil, origin: origin)
    batch.times = [Timestamp(milliseconds: 1), Timestamp(milliseconds: 2)]
    batch.values = [101_325, 101_326.5]
    return batch
  }

  private func lanes(of origin: SampleBatch.Origin = .stream) -> [String] {
    dialect.messages(for: .batch(batch(origin))).map {
      $0.message.topic.split(separator: "/")[3].description
    }
  }

  @Test func `JSON alone unless others are asked for`() {
    #expect(lanes() == ["record"])
    #expect(lanes(of: .flash) == ["log"])
  }

  @Test func `each has a lane of its own, whether streamed or logged, from the change on`() {
    encodings.change(to: [.cbor, .lineProtocol, .json])
    #expect(lanes() == ["record", "lp", "cbor"])
    #expect(lanes(of: .flash) == ["log", "lp", "cbor"])
    encodings.change(to: [.lineProtocol])
    #expect(lanes() == ["lp"])
  }

  @Test func `samples are counted once, whatever they are written as`() {
    for chosen: Set<SampleEncoding> in [[.json], [.json, .cbor], [.lineProtocol, .cbor], [.cbor]] {
      encodings.change(to: chosen)
      let messages = dialect.messages(for: .batch(batch()))
      #expect(messages.count == chosen.count)
      #expect(messages.map(\.samples).reduce(0, +) == 2)
    }
  }

  @Test func `all go out under the same conditions`() {
    encodings.change(to: Set(SampleEncoding.allCases))
    let classes = Set(dialect.messages(for: .batch(batch(.flash))).map(\.deliveryClass))
    #expect(classes == [.event])
    let levels = Set(dialect.messages(for: .batch(batch())).map(\.message.qualityOfService))
    #expect(levels == [.atLeastOnce])
  }

  @Test func `CBOR says what JSON says`() throws {
    let bytes = SampleCodec.cbor(batch(), gateway: "gw")
    #expect(bytes == CBORWriter.bytes(of: try StrictJSON.parse(SampleCodec.record(batch(), gateway: "gw"))))
    #expect(bytes.count < SampleCodec.record(batch(), gateway: "gw").count)
  }

  @Test(arguments: [60, 255, 500])
  func `F204 CBOR says what JSON says of a batch of any size`(count: Int) throws {
    var batch = batch(.flash)
    batch.times = (0..<count).map { Timestamp(milliseconds: Int64($0)) }
    batch.values = (0..<count).map { 101_325 + Double($0) / 4 }
    let bytes = SampleCodec.cbor(batch, gateway: "gw")
    let object = try StrictJSON.parse(SampleCodec.record(batch, gateway: "gw"), limits: .trusting)
    #expect(object.object?["samples"]?.array?.count == count)
    #expect(bytes == CBORWriter.bytes(of: object))
  }

  @Test func `a topic of either lane is its board's`() {
    let topics = TopicTree(base: "m", gateway: "gw")
    for lane in [TopicTree.Lane.lp, .cbor] {
      let topic = topics.board(.example, lane, "pressure")
      #expect(topics.source(of: topic)?.stream == "pressure")
      #expect(topics.origin(of: topic)?.lane.rawValue == lane.rawValue)
    }
  }
}
