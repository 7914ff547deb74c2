package import FleetModel

/// Batches in InfluxDB's line protocol (MQTT contract 1.7): a line per sample, the stream as the measurement, the tags
/// `board`, `gw` and `origin`, the sample's fields, and its time in microseconds. A batch that nothing can be said
/// against has the fields `seq` and `err_ms` beside them; what else has to be said of a sample stands there, too.
package enum LineProtocol {
  /// The lines of a batch.
  package static func lines(_ batch: SampleBatch, gateway: String) -> [UInt8] {
    let beginning = measurement(batch.stream) + tags(of: batch, gateway: gateway) + " "
    let names = batch.fields.map { escaped($0.name, ",= ") + "=" }
    let remarks = remarks(on: batch)
    var lines = JSONWriter(reserving: batch.count * (beginning.utf8.count + remarks.utf8.count + 64))
    for (index, time) in batch.times.enumerated() {
      lines.raw(Array(beginning.utf8))
      let values = batch.values[(index * batch.fields.count)...]
      for (column, value) in zip(batch.fields.indices, values) where value.isFinite {
        lines.raw(Array(names[column].utf8))
        write(value, batch.fields[column], to: &lines)
        lines.raw(",")
      }
      lines.raw("seq=")
      lines.integer(Int64(batch.sequence + index))
      lines.raw("i")
      lines.raw(Array(remarks.utf8))
      if index == 0, batch.gapBefore != 0 {
        lines.raw(",gap_before=")
        lines.integer(Int64(batch.gapBefore))
        lines.raw("i")
      }
      lines.raw(" ")
      lines.integer(time.microseconds)
      lines.raw("\n")
    }
    return lines.take()
  }

  /// A database takes the type of a field from its first value: what is declared whole is always an integer, all else
  /// never is.
  private static func write(_ value: Double, _ field: StreamDefinition.Field, to lines: inout JSONWriter) {
    lines.fixed(value, decimals: field.decimals)
    if field.kind != .number { lines.raw("i") }
  }

  private static func tags(of batch: SampleBatch, gateway: String) -> String {
    [("board", batch.board.description), ("gw", gateway), ("origin", batch.origin.rawValue)]
      .map { ",\($0)=\(escaped($1, ",= "))" }.joined()
  }

  /// What every sample of the batch has in common beside its values.
  private static func remarks(on batch: SampleBatch) -> String {
    var remarks = ""
    if let error = batch.clock.errorMilliseconds {
      var number = JSONWriter()
      number.fixed(error, decimals: 3)
      remarks += ",err_ms=" + String(decoding: number.take(), as: UTF8.self)
    }
    let reasons = batch.qualityReasons
    if !reasons.isEmpty {
      remarks += ",quality_reasons=\"\(reasons.map(\.rawValue).joined(separator: ","))\""
    }
    return remarks
  }

  private static func measurement(_ name: String) -> String { escaped(name, ", ") }

  /// A name or tag value: what would end it has a backslash before it. A line break ends the line whatever stands
  /// before it, and a backslash at the end would escape what follows: both become `_`, as all that cannot be printed.
  private static func escaped(_ text: String, _ delimiters: String) -> String {
    guard !text.isEmpty else { return "_" }
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar.value < 0x20 || scalar.value == 0x7F || scalar == "\\" {
        result += "_"
      } else {
        if delimiters.unicodeScalars.contains(scalar) { result += "\\" }
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
