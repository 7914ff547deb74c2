package import FleetModel

/// Samples as JSON, written by hand into one buffer per message (MQTT API 3.1 and 3.2).
package enum SampleCodec {
  /// One flat live sample.
  package static func live(_ sample: LiveSample, gateway: String) -> [UInt8] {
    var json = JSONWriter(reserving: 200)
    json.raw("{\"ts_ms\":")
    json.integer(sample.time.milliseconds)
    fields(sample.fields, sample.values[...], into: &json)
    json.raw(",\"seq\":")
    json.integer(Int64(sample.sequence))
    json.raw(",\"board\":")
    json.string(sample.board.description)
    json.raw(",\"stream\":")
    json.string(sample.stream)
    json.raw(",\"gw\":")
    json.string(gateway)
    // Live samples are flat: one text.
    quality(sample.qualityReasons, into: &json) {
      .string($0.map(\.rawValue).joined(separator: ","))
    }
    json.raw("}")
    return json.take()
  }

  /// A complete, numbered batch.
  package static func record(_ batch: SampleBatch, gateway: String) -> [UInt8] {
    var json = JSONWriter(reserving: 400 + batch.count * (30 + 16 * batch.fields.count))
    // Numbers and identifiers need no escapes, and go in pieces.
    json.tail(longestHeader) { tail in
      tail.raw("{\"v\":1,\"board\":\"")
      tail.plain(batch.board.description)
      tail.raw("\",\"stream\":")
    }
    json.string(batch.stream)
    json.raw(",\"gw\":")
    json.string(gateway)
    json.tail(longestHeader) { tail in
      tail.raw(",\"origin\":\"")
      tail.plain(batch.origin.rawValue)
      tail.raw("\",\"session\":\"")
      tail.plain(batch.session.description)
      tail.raw("\",\"boot\":")
      tail.integer(Int64(batch.boot))
      tail.raw(",\"seq\":")
      tail.integer(Int64(batch.sequence))
      tail.raw(",\"count\":")
      tail.integer(Int64(batch.count))
      tail.raw(",\"gap_before\":")
      tail.integer(Int64(batch.gapBefore))
      tail.raw(",\"batch_id\":\"")
      tail.plain(batch.session.description)
      tail.raw(".")
    }
    json.contents(batch.stream)
    json.tail(longestHeader) { tail in
      tail.raw(".")
      tail.integer(Int64(batch.sequence))
      tail.raw("\",\"clock\":{\"source\":\"")
      tail.plain(batch.clock.source.rawValue)
      tail.raw("\"")
      if let error = batch.clock.errorMilliseconds {
        tail.raw(",\"err_ms\":")
        tail.fixed(error, decimals: 3)
      }
      if let drift = batch.clock.drift {
        tail.raw(",\"drift_ppm\":")
        tail.fixed(drift, decimals: 2)
      }
      if let anchor = batch.clock.anchor {
        tail.raw(",\"anchor_ms\":")
        tail.integer(anchor.milliseconds)
      }
      tail.raw("},\"samples\":[")
    }
    samples(of: batch, into: &json)
    json.raw("]")
    quality(batch.qualityReasons, into: &json) { .array($0.map { .string($0.rawValue) }) }
    if let configuration = batch.configuration {
      json.raw(",\"config\":")
      json.write(.object(configuration))
    }
    json.raw("}")
    return json.take()
  }

  /// The same object as `record` writes, as CBOR. Made of its text, so that the two never differ: whoever wants this
  /// lane pays for both.
  package static func cbor(_ batch: SampleBatch, gateway: String) -> [UInt8] {
    // The limits of requests do not hold for what was written here: a batch has up to 500 samples and 256 KiB
    // (fault F238).
    let text = record(batch, gateway: gateway)
    guard let object = try? StrictJSON.parse(text, limits: .trusting) else { return [] }
    return CBORWriter.bytes(of: object)
  }

  /// Nothing where all is good.
  private static func quality(
    _ reasons: [QualityReason], into json: inout JSONWriter, as list: ([QualityReason]) -> JSONValue
  ) {
    guard !reasons.isEmpty else { return }
    json.raw(",\"quality\":\"uncertain\",\"quality_reasons\":")
    json.write(list(reasons))
  }

  /// More than the names, identifiers and numbers of one piece take.
  private static let longestHeader = 256 + 5 * NumberTail.longestNumber

  /// Every sample by a tail of its own, which has room for the longest there can be. Looks at spans only: whatever is
  /// counted by reference costs more here than writing.
  private static func samples(of batch: SampleBatch, into json: inout JSONWriter) {
    let width = batch.fields.count
    var names = JSONWriter(reserving: 16 * (width + 1))
    var columns: [(label: Range<Int>, decimals: Int)] = []
    columns.reserveCapacity(width)
    for field in batch.fields {
      let start = names.bytes.count
      name(field, into: &names)
      columns.append((start..<names.bytes.count, field.decimals))
    }
    let longest = StampPrefix.longest + names.bytes.count + (width + 1) * NumberTail.longestNumber + 2
    var prefix = StampPrefix()
    let times = batch.times.span
    let values = batch.values.span
    let columnSpan = columns.span
    let labels = names.bytes.span
    for index in times.indices {
      json.tail(longest) { tail in
        if index > 0 { tail.byte(UInt8(ascii: ",")) }
        prefix.write(times[index].microseconds, to: &tail)
        for column in columnSpan.indices {
          let value = values[index &* width &+ column]
          guard value.isFinite else { continue }
          tail.raw(labels.extracting(columnSpan[column].label))
          tail.fixed(value, decimals: columnSpan[column].decimals)
        }
        tail.byte(UInt8(ascii: "}"))
      }
    }
  }

  private static func fields(
    _ fields: [StreamDefinition.Field], _ values: ArraySlice<Double>, into json: inout JSONWriter
  ) {
    for (field, value) in zip(fields, values) where value.isFinite {
      name(field, into: &json)
      json.fixed(value, decimals: field.decimals)
    }
  }

  /// A field's name with what stands before and after it.
  private static func name(_ field: StreamDefinition.Field, into json: inout JSONWriter) {
    json.raw(",")
    json.string(field.name)
    json.raw(":")
  }
}
