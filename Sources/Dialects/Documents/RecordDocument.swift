package import FleetModel

/// A batch of the record or log lane as it is read (MQTT API 3.2). `SampleCodec` writes it, straight into bytes.
package struct RecordDocument: TypedDocument {
  package var json: JSONObject

  package init(json: JSONObject) { self.json = json }

  /// More samples than any stream has; numbers beyond it are nobody's.
  private static let largestNumber = 1 << 53

  /// The batch; nil where it lacks what every batch has. `declared` are the fields that somebody knows of the stream of
  /// a board; all others are taken for numbers. A value that is left out becomes NaN, as it was before it was left out.
  package func batch(
    declared: (BoardID, String) -> [StreamDefinition.Field]
  ) -> SampleBatch? {
    guard let board = self[.board], let stream = self[.stream], !stream.isEmpty,
      let session = self[.session].flatMap({ ULID($0) }), let boot = self[.boot], let first = self[.number],
      (0...Self.largestNumber).contains(first), let samples = self[.samples], !samples.isEmpty,
      samples.count == self[.count]
    else { return nil }
    let known = declared(board, stream)
    var batch = SampleBatch(
      board: board, stream: stream, fields: Self.fields(of: samples, known), session: session, boot: boot,
      sequence: first, gapBefore: self[.gapBefore] ?? 0, clock: clock, configuration: nil,
      origin: self[.origin].flatMap(SampleBatch.Origin.init(rawValue:)) ?? .stream)
    batch.doubts = Set((self[.reasons] ?? []).compactMap(QualityReason.init(rawValue:)))
    for sample in samples {
      guard let time = sample[Self.stamp]?.integer.flatMap(Self.time) else { return nil }
      batch.times.append(time)
      batch.values += batch.fields.map { sample[$0.name]?.number ?? .nan }
    }
    return batch
  }

  private var clock: ClockQuality {
    let clock = self[.clock] ?? [:]
    return ClockQuality(
      source: clock["source"]?.string.flatMap(ClockQuality.Source.init(rawValue:)) ?? .unknown,
      errorMilliseconds: clock["err_ms"]?.number, drift: clock["drift_ppm"]?.number,
      anchor: clock["anchor_ms"]?.integer.map { Timestamp(milliseconds: $0) })
  }

  /// Every key that a sample has, in the order in which they come.
  private static func fields(
    of samples: [JSONObject], _ known: [StreamDefinition.Field]
  ) -> [StreamDefinition.Field] {
    var names: [String] = []
    for key in samples.lazy.flatMap(\.keys) where key != stamp && !names.contains(key) { names.append(key) }
    return names.map { name in
      known.first { $0.name == name } ?? .init(name, "", decimals: OfferedStreamDocument.mostDecimals)
    }
  }

  private static let stamp = "ts_us"

  private static func time(microseconds: Int64) -> Timestamp? {
    let (nanoseconds, overflow) = microseconds.multipliedReportingOverflow(by: 1_000)
    return overflow ? nil : Timestamp(nanoseconds: nanoseconds)
  }
}

extension DocumentField where Document == RecordDocument, Value == BoardID {
  package static var board: Self { .init("board") }
}

extension DocumentField where Document == RecordDocument, Value == String {
  package static var stream: Self { .init("stream") }
  package static var gateway: Self { .init("gw") }
  fileprivate static var session: Self { .init("session") }
  fileprivate static var origin: Self { .init("origin") }
}

extension DocumentField where Document == RecordDocument, Value == Int {
  fileprivate static var boot: Self { .init("boot") }
  /// Of the first sample.
  fileprivate static var number: Self { .init("seq") }
  fileprivate static var gapBefore: Self { .init("gap_before") }
  fileprivate static var count: Self { .init("count") }
}

extension DocumentField where Document == RecordDocument, Value == JSONObject {
  fileprivate static var clock: Self { .init("clock") }
}

extension DocumentField where Document == RecordDocument, Value == [JSONObject] {
  fileprivate static var samples: Self { .init("samples") }
}

extension DocumentField where Document == RecordDocument, Value == [String] {
  fileprivate static var reasons: Self { .init("quality_reasons") }
}
