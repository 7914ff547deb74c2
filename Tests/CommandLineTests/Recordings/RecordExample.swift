import Dialects
import FleetModel

@testable import metafleet

/// Batches as the record lane carries them.
enum RecordExample {
  static let board = BoardID("e5a1c2d3f4b6")!

  /// The identifier of the run that began at this second.
  static func session(_ second: Int64) -> ULID {
    var random = SeededGenerator(seed: 1)
    return ULID(at: Timestamp(milliseconds: 1_763_671_000_000 + second * 1_000), using: &random)
  }

  static func batch(
    _ numbers: Range<Int>, session second: Int64 = 0, gapBefore: Int = 0, stream: String = "temperature-die",
    board: BoardID = board
  ) -> SampleBatch {
    var batch = SampleBatch(
      board: board, stream: stream, fields: [.init("temperature_c", "°C", decimals: 3)],
      session: session(second),
      boot: 1, sequence: numbers.lowerBound, gapBefore: gapBefore,
      clock: ClockQuality(source: .arrival, errorMilliseconds: 100), configuration: nil)
    batch.times = numbers.map { Timestamp(milliseconds: 1_763_671_000_000 + second * 1_000 + Int64($0) * 10) }
    batch.values = numbers.map { Double($0) / 1_000 }
    return batch
  }

  static func message(_ batch: SampleBatch, base: String = "metafleet") -> MQTTMessage {
    MQTTMessage(
      topic: "\(base)/board/\(batch.board)/record/\(batch.stream)",
      payload: SampleCodec.record(batch, gateway: "g1"))
  }
}
