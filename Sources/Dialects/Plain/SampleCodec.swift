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
    json.raw("}")
    return json.take()
  }

  /// A complete, numbered batch.
  package static func record(_ batch: SampleBatch, gateway: String) -> [UInt8] {
    let width = batch.fields.count
    var json = JSONWriter(reserving: 400 + batch.count * (30 + 16 * width))
    json.raw("{\"v\":1,\"board\":")
    json.string(batch.board.description)
    json.raw(",\"stream\":")
    json.string(batch.stream)
    json.raw(",\"gw\":")
    json.string(gateway)
    json.raw(",\"origin\":\"stream\",\"session\":")
    json.string(batch.session.description)
    json.raw(",\"boot\":")
    json.integer(Int64(batch.boot))
    json.raw(",\"seq\":")
    json.integer(Int64(batch.sequence))
    json.raw(",\"count\":")
    json.integer(Int64(batch.count))
    json.raw(",\"gap_before\":")
    json.integer(Int64(batch.gapBefore))
    json.raw(",\"batch_id\":")
    json.string("\(batch.session).\(batch.stream).\(batch.sequence)")
    json.raw(",\"clock\":{\"source\":")
    json.string(batch.clock.source.rawValue)
    if let error = batch.clock.errorMilliseconds {
      json.raw(",\"err_ms\":")
      json.fixed(error, decimals: 3)
    }
    json.raw("},\"samples\":[")
    let fields = batch.fields.map { (name: name($0), decimals: $0.decimals) }
    for index in 0..<batch.count {
      json.raw(index == 0 ? "{\"ts_us\":" : ",{\"ts_us\":")
      json.integer(batch.times[index].microseconds)
      for column in 0..<width {
        let value = batch.values[index &* width &+ column]
        guard value.isFinite else { continue }
        json.raw(fields[column].name)
        json.fixed(value, decimals: fields[column].decimals)
      }
      json.raw("}")
    }
    json.raw("]")
    if let configuration = batch.configuration {
      json.raw(",\"config\":")
      json.write(.object(configuration))
    }
    json.raw("}")
    return json.take()
  }

  private static func fields(
    _ fields: [StreamDefinition.Field], _ values: ArraySlice<Double>, into json: inout JSONWriter
  ) {
    for (field, value) in zip(fields, values) where value.isFinite {
      json.raw(name(field))
      json.fixed(value, decimals: field.decimals)
    }
  }

  /// A field's name with what stands before and after it.
  private static func name(_ field: StreamDefinition.Field) -> [UInt8] {
    var json = JSONWriter(reserving: 24)
    json.raw(",")
    json.string(field.name)
    json.raw(":")
    return json.take()
  }
}
