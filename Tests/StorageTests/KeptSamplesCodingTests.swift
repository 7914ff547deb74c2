import FleetModel
import Testing

@testable import Storage

@Suite struct KeptSamplesCodingTests {
  private static func decoded(_ batch: SampleBatch) -> (times: [Timestamp], values: [Double])? {
    KeptSamplesCoding.decode(
      KeptSamplesCoding.encode(batch), count: batch.count, first: batch.times[0], fields: batch.fields)
  }

  /// What is published of a value, and of a time.
  private static func text(_ value: Double, _ decimals: Int) -> String {
    var writer = JSONWriter()
    writer.fixed(value, decimals: decimals)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test func `what is read back is published digit by digit as what was kept`() throws {
    var random = SeededGenerator(seed: 7)
    var batch = SampleBatch.kept(fields: 3, decimals: [4, 0, 6])
    for index in 0..<500 {
      batch.times.append(
        .at(1_763_671_234) + .microseconds(index * 20_000 + Int.random(in: -9...9, using: &random)))
      batch.values += [
        Double.random(in: -16...16, using: &random), Double(Int.random(in: 0...1, using: &random)),
        Double.random(in: -1...1, using: &random),
      ]
    }
    let read = try #require(Self.decoded(batch))
    #expect(read.times.map(\.microseconds) == batch.times.map(\.microseconds))
    for index in batch.values.indices {
      let decimals = [4, 0, 6][index % 3]
      #expect(Self.text(read.values[index], decimals) == Self.text(batch.values[index], decimals))
    }
    // JSON takes some fifty bytes for each of these samples.
    #expect(KeptSamplesCoding.encode(batch).count < 500 * 12)
  }

  @Test func `values that have no digits, and times that jump, come back as they were`() throws {
    var batch = SampleBatch.kept(fields: 2, decimals: [3, 3])
    batch.times = [
      Timestamp(milliseconds: 0), Timestamp(milliseconds: 4_102_444_800_000), Timestamp(milliseconds: 1),
    ]
    batch.values = [.infinity, -0.0, 1e300, .leastNonzeroMagnitude, -.greatestFiniteMagnitude, 0.1]
    let read = try #require(Self.decoded(batch))
    #expect(read.times == batch.times && read.values == batch.values)
    batch.values[0] = .nan
    #expect(Self.decoded(batch)?.values[0].isNaN == true)
  }

  @Test func `bytes that nobody has encoded are refused, whatever they are`() {
    var batch = SampleBatch.kept(fields: 1, decimals: [2])
    (batch.times, batch.values) = ([.at(1), .at(2)], [1.25, 1.5])
    let bytes = KeptSamplesCoding.encode(batch)
    for end in 0..<bytes.count {
      #expect(
        KeptSamplesCoding.decode(Array(bytes.prefix(end)), count: 2, first: .at(1), fields: batch.fields)
          == nil)
    }
    #expect(KeptSamplesCoding.decode(bytes + [0], count: 2, first: .at(1), fields: batch.fields) == nil)
    #expect(KeptSamplesCoding.decode(bytes, count: .max, first: .at(1), fields: batch.fields) == nil)
    let endless = [UInt8](repeating: 0xFF, count: 64)
    #expect(KeptSamplesCoding.decode([1] + endless, count: 1, first: .at(1), fields: batch.fields) == nil)
  }
}

extension SampleBatch {
  /// A batch without samples.
  static func kept(
    _ session: UInt64 = 1, board: BoardID = .example, stream: String = "acceleration", sequence: Int = 0,
    fields: Int = 1, decimals: [Int] = [2]
  ) -> SampleBatch {
    var random = SeededGenerator(seed: session)
    return SampleBatch(
      board: board, stream: stream,
      fields: (0..<fields).map { .init("f\($0)_g", "g", decimals: decimals[$0]) },
      session: ULID(at: .at(Int64(session)), using: &random), boot: 3, sequence: sequence, gapBefore: 0,
      clock: ClockQuality(source: .arrival, errorMilliseconds: 7.5), configuration: nil)
  }

  /// One with so many samples, a second apart from `second` on.
  static func kept(
    _ session: UInt64 = 1, board: BoardID = .example, stream: String = "acceleration", sequence: Int = 0,
    count: Int, at second: Int64
  ) -> SampleBatch {
    var batch = kept(session, board: board, stream: stream, sequence: sequence)
    batch.times = (0..<count).map { .at(second + Int64($0)) }
    batch.values = (0..<count).map { Double(sequence + $0) / 4 }
    return batch
  }
}
