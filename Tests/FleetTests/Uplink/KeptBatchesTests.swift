import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct KeptBatchesTests {
  private static let second = Duration.seconds(1)
  private var kept = KeptBatches()

  init() {
    kept.choice.keep = .seconds(86_400)
  }

  private static func batch(
    _ session: UInt64 = 1, from sequence: Int = 0, count: Int = 10, stream: String = "acceleration",
    origin: SampleBatch.Origin = .stream
  ) -> SampleBatch {
    var batch = SampleBatch(
      board: .number(1), stream: stream, fields: [.init("ax_g", "g", decimals: 3)], session: .seeded(session),
      boot: 1, sequence: sequence, gapBefore: 0,
      clock: ClockQuality(source: .arrival, errorMilliseconds: 5), configuration: nil, origin: origin)
    batch.times = (0..<count).map { .at(Int64(sequence + $0) * 20) }
    batch.values = (0..<count).map { Double(sequence + $0) }
    return batch
  }

  @Test mutating func `only what the file names is kept, and no logs`() {
    kept.keep(Self.batch(origin: .flash), at: .zero)
    kept.choice.only = ["gyroscope"]
    kept.keep(Self.batch(), at: .zero)
    #expect(kept.isEmpty)
    kept.choice = KeptStreamsConfiguration()
    kept.keep(Self.batch(stream: "gyroscope"), at: .zero)
    #expect(kept.isEmpty)
  }

  @Test mutating func `batches of a session are joined until they are worth a row`() {
    for number in 0..<10 { kept.keep(Self.batch(from: number * 10), at: Self.second * number / 2) }
    #expect(kept.take(at: .milliseconds(4_900), isLow: false, isLast: false).isEmpty)
    #expect(kept.take(at: Self.second * 5, isLow: false, isLast: false) == [Self.batch(count: 100)])
    #expect(kept.isEmpty)
  }

  @Test mutating func `what does not go on where it ended is a row of its own`() {
    var (lossy, doubtful) = (Self.batch(from: 20), Self.batch(from: 30))
    lossy.gapBefore = 10
    doubtful.doubts = [.rateLow]
    for batch in [Self.batch(), lossy, doubtful] { kept.keep(batch, at: .zero) }
    // Two are complete; the last one may still grow.
    #expect(kept.take(at: .zero, isLow: false, isLast: false) == [Self.batch(), lossy])
    #expect(kept.take(at: .zero, isLow: false, isLast: true) == [doubtful])
  }

  @Test mutating func `what is over does not wait, and rows stay small`() {
    kept.keep(Self.batch(), at: .zero)
    kept.end(.seeded(1))
    #expect(kept.take(at: .zero, isLow: false, isLast: false) == [Self.batch()])
    for number in 0..<3 { kept.keep(Self.batch(2, from: number * 500, count: 500), at: .zero) }
    #expect(kept.take(at: .zero, isLow: false, isLast: false).map(\.count) == [1_000])
  }

  @Test mutating func `F235 where too little of the disk is left samples are dropped at once`() {
    kept.keep(Self.batch(), at: .zero)
    #expect(kept.take(at: .zero, isLow: true, isLast: false).isEmpty)
    #expect(kept.isEmpty && kept.takeDropped() == 10 && kept.takeDropped() == 0)
  }

  @Test(arguments: [StoreFailure.full, .low, .io("x"), .misuse("x"), .readOnly])
  func `F235 what a disk does not take is given up, so that it is no obstacle to anything else`(
    failure: StoreFailure
  ) {
    var kept = kept
    kept.putBack([Self.batch()], after: failure)
    #expect(kept.isEmpty && kept.takeDropped() == 10)
  }

  @Test mutating func `while the database is only locked samples wait, as long as there is room`() {
    kept.putBack([Self.batch()], after: .taken("x"))
    #expect(kept.take(at: .zero, isLow: false, isLast: false) == [Self.batch()])
    for number in 0..<11 {
      kept.keep(Self.batch(UInt64(number), count: KeptBatches.limit / 10), at: .zero)
    }
    #expect(kept.waiting == KeptBatches.limit && kept.takeDropped() == KeptBatches.limit / 10)
  }
}
