import FleetModel
import Testing

@testable import Dialects

/// The object of a batch is what is read of its text.
@Suite struct SampleObjectTests {
  private func batch(_ count: Int, _ change: (inout SampleBatch) -> Void = { _ in }) -> SampleBatch {
    let fields = ["w", "x", "y", "z"].map { StreamDefinition.Field($0, "", decimals: 5) }
    var batch = SampleBatch(
      board: .example, stream: "quaternion", fields: fields, session: .example, boot: 3, sequence: 18_200,
      gapBefore: -1, clock: ClockQuality(source: .arrival, errorMilliseconds: 100), configuration: nil,
      origin: .flash)
    batch.times = (0..<count).map {
      Timestamp(nanoseconds: 1_763_671_234_567_123_999 + Int64($0) * 10_000_000)
    }
    batch.values = (0..<count * 4).map { Double($0) / 7 - 100 }
    change(&batch)
    return batch
  }

  private func text(_ batch: SampleBatch) throws -> JSONValue {
    try StrictJSON.parse(SampleCodec.record(batch, gateway: "gw"), limits: .trusting)
  }

  @Test func `F204 the largest batch is written whole, and says what JSON says`() throws {
    for count in [0, 1, 12, 50, 500] {
      let batch = batch(count)
      let object = SampleObject.of(batch, gateway: "gw")
      #expect(try text(batch) == .object(object), "\(count)")
      #expect(object["samples"]?.array?.count == count)
      #expect(SampleCodec.cbor(batch, gateway: "gw") == CBORWriter.bytes(of: try text(batch)))
    }
  }

  @Test func `F204 whatever is said of a batch is said in both`() throws {
    let changes: [(inout SampleBatch) -> Void] = [
      { $0.values[1] = .nan }, { $0.values[0] = 2 }, { $0.doubts = [.rateLow, .configUnverified] },
      {
        $0.configuration = [
          "rate_hz": 50, "half": 0.5, "whole": 5.0, "list": [1.0, "a", ["b": 2.0]], "on": true,
        ]
      },
      { $0.clock = ClockQuality(source: .unknown, errorMilliseconds: nil) }, { $0.origin = .stream },
      { $0.stream = "a \"b\"" },
    ]
    for (number, change) in changes.enumerated() {
      let batch = batch(3, change)
      #expect(try text(batch) == .object(SampleObject.of(batch, gateway: "gw")), "change \(number)")
    }
  }
}
