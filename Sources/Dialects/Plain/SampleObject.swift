import FleetModel

/// A batch as an object: what `SampleCodec.record` writes as text, for encodings that are made of values. Nothing of it
/// can be refused, however large the batch is (fault F204). Pure.
enum SampleObject {
  static func of(_ batch: SampleBatch, gateway: String) -> JSONObject {
    var object: JSONObject = [
      "v": 1, "board": .string(batch.board.description), "stream": .string(batch.stream),
      "gw": .string(gateway), "origin": .string(batch.origin.rawValue),
      "session": .string(batch.session.description), "boot": .integer(Int64(batch.boot)),
      "seq": .integer(Int64(batch.sequence)), "count": .integer(Int64(batch.count)),
      "gap_before": .integer(Int64(batch.gapBefore)),
      "batch_id": .string("\(batch.session).\(batch.stream).\(batch.sequence)"),
      "clock": .object(clock(of: batch)), "samples": .array(samples(of: batch)),
    ]
    let reasons = batch.qualityReasons
    if !reasons.isEmpty {
      object["quality"] = "uncertain"
      object["quality_reasons"] = .array(reasons.map { .string($0.rawValue) })
    }
    object["config"] = batch.configuration.map { asWritten(.object($0)) }
    return object
  }

  private static func clock(of batch: SampleBatch) -> JSONObject {
    var object: JSONObject = ["source": .string(batch.clock.source.rawValue)]
    object["err_ms"] = batch.clock.errorMilliseconds.map { .fixed($0, decimals: 3) }
    object["drift_ppm"] = batch.clock.drift.map { .fixed($0, decimals: 2) }
    object["anchor_ms"] = batch.clock.anchor.map { .integer($0.milliseconds) }
    return object
  }

  private static func samples(of batch: SampleBatch) -> [JSONValue] {
    let width = batch.fields.count
    return batch.times.enumerated().map { index, time in
      var members: [(String, JSONValue)] = [("ts_us", .integer(time.microseconds))]
      for (field, value) in zip(batch.fields, batch.values[(index * width)...]) where value.isFinite {
        members.append((field.name, .fixed(value, decimals: field.decimals)))
      }
      return .object(JSONObject(members))
    }
  }

  /// Whole numbers are written without a point, and read as integers.
  private static func asWritten(_ value: JSONValue) -> JSONValue {
    switch value {
    case .number(let number): .shortest(number)
    case .array(let elements): .array(elements.map(asWritten))
    case .object(let object): .object(JSONObject(object.members.map { ($0.key, asWritten($0.value)) }))
    case .null, .bool, .integer, .string: value
    }
  }
}
