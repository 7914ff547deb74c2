import FleetModel
import Testing

@Suite struct QualityReasonTests {
  private static let now = Timestamp(milliseconds: 1_763_671_234_000)

  private func batch(at time: Timestamp, _ source: ClockQuality.Source, _ doubts: Set<QualityReason> = [])
    -> SampleBatch
  {
    var random = SeededGenerator(seed: 1)
    var batch = SampleBatch(
      board: BoardID(BluetoothAddress(rawValue: 1)), stream: "switch", fields: [.init("pressed", "", .flag)],
      session: ULID(at: time, using: &random), boot: 1, sequence: 0, gapBefore: 0,
      clock: ClockQuality(source: source, errorMilliseconds: nil), configuration: nil)
    (batch.times, batch.values, batch.doubts) = ([time], [1], doubts)
    return batch
  }

  @Test func `what is known is good, and times of a clock that nobody has set are uncertain`() {
    #expect(batch(at: Self.now, .arrival).qualityReasons == [])
    #expect(batch(at: Self.now, .boardTick).qualityReasons == [])
    #expect(batch(at: Timestamp(milliseconds: 60_000), .arrival).qualityReasons == [.clockUnknown])
    #expect(batch(at: Self.now, .unknown).qualityReasons == [.clockUnknown])
  }

  @Test func `reasons come in the order of the list`() {
    let all = batch(at: Self.now, .unknown, [.rateLow, .configUnverified])
    #expect(all.qualityReasons == [.configUnverified, .rateLow, .clockUnknown])
    let sample = LiveSample(
      board: all.board, stream: "switch", fields: all.fields, time: Self.now, sequence: 0, values: [1],
      doubts: [.rateLow])
    #expect(sample.qualityReasons == [.rateLow])
  }
}
