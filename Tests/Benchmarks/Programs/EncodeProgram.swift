import Dialects
import FleetModel

/// Writing record batches as JSON, alone: processor time per sample.
struct EncodeProgram {
  private static let batches = 20_000

  func run() throws {
    var random = SeededGenerator(seed: 1)
    let now = Timestamp(milliseconds: 1_763_671_000_000)
    var batch = SampleBatch(
      board: SocketRadio.board(0), stream: "acceleration",
      fields: StreamCatalogue.find("acceleration")?.0.fields ?? [], session: ULID(at: now, using: &random),
      boot: 1, sequence: 0, gapBefore: 0, clock: ClockQuality(source: .arrival, errorMilliseconds: 100),
      configuration: nil)
    for index in 0..<25 {
      batch.times.append(now + .milliseconds(10 * index))
      for _ in 0..<3 { batch.values.append(Double(Int.random(in: -8192...8191, using: &random)) / 8192) }
    }
    var best = Double.infinity
    var bytes = 0
    for _ in 0..<5 {
      let bill = Bill()
      for _ in 0..<Self.batches { bytes = SampleCodec.record(batch, gateway: "bench").count }
      best = min(best, bill.used * 1e9 / Double(Self.batches * batch.count))
    }
    Bill.report(["ns_per_sample": best, "bytes_per_sample": Double(bytes) / Double(batch.count)])
  }
}
