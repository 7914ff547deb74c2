package import FleetModel

/// Writes samples as rows of CSV or JSON Lines. Pure; the caller takes the bytes away.
package struct LogRows: Sendable {
  package enum Format: String, CaseIterable, Sendable { case csv, jsonl }

  package let format: Format
  /// The columns of values: every field of every stream once, by name.
  package let fields: [StreamDefinition.Field]
  private var writer = JSONWriter(reserving: 1 << 18)
  private var stamp = StampText()
  private static let head = ["time", "error_ms", "clock", "board", "session", "boot", "stream", "seq"]

  package init(_ format: Format, streams: [LoggedStream]) {
    self.format = format
    var fields: [StreamDefinition.Field] = []
    for field in streams.flatMap(\.fields) where !fields.contains(where: { $0.name == field.name }) {
      fields.append(field)
    }
    self.fields = fields
  }

  /// Bytes that wait to be taken away.
  package var count: Int { writer.bytes.count }

  package mutating func take() -> [UInt8] { writer.take() }

  /// The first line of CSV. A field's name ends with its unit, where it has one.
  package mutating func header() {
    guard format == .csv else { return }
    writer.raw(Array((Self.head + fields.map(\.name)).joined(separator: ",").utf8))
    writer.raw("\r\n")
  }

  package mutating func add(_ batch: SampleBatch) {
    var places = [Int?](repeating: nil, count: fields.count)
    for (index, field) in batch.fields.enumerated() {
      if let place = fields.firstIndex(where: { $0.name == field.name }) { places[place] = index }
    }
    let (before, after) = format == .csv ? csv(of: batch) : json(of: batch)
    let labels = fields.map { field in
      var label = JSONWriter()
      label.raw(",")
      label.string(field.name)
      label.raw(":")
      return label.bytes
    }
    let width = batch.fields.count
    for index in batch.times.indices {
      if format == .jsonl { writer.raw("{\"time\":\"") }
      stamp.set(batch.times[index])
      writer.raw(stamp.bytes)
      writer.raw(before)
      writer.integer(Int64(batch.sequence + index))
      writer.raw(after)
      for (column, place) in places.enumerated() {
        let value = place.map { batch.values[index * width + $0] }.flatMap { $0.isFinite ? $0 : nil }
        if format == .csv {
          writer.raw(",")
        } else if value != nil {
          writer.raw(labels[column])
        }
        if let value { writer.fixed(value, decimals: fields[column].decimals) }
      }
      if format == .csv { writer.raw("\r\n") } else { writer.raw("}\n") }
    }
  }

  /// What stands between a row's time and its number, and behind that, which is alike in a batch.
  private func csv(of batch: SampleBatch) -> ([UInt8], [UInt8]) {
    var text = JSONWriter()
    text.raw(",")
    if let error = batch.clock.errorMilliseconds { text.fixed(error, decimals: 3) }
    let head =
      ",\(batch.clock.source.rawValue),\(batch.board),\(batch.session),\(batch.boot),\(batch.stream),"
    text.raw(Array(head.utf8))
    return (text.bytes, [])
  }

  private func json(of batch: SampleBatch) -> ([UInt8], [UInt8]) {
    var text = JSONWriter()
    text.raw("\"")
    if let error = batch.clock.errorMilliseconds {
      text.raw(",\"error_ms\":")
      text.fixed(error, decimals: 3)
    }
    let head =
      ",\"clock\":\"\(batch.clock.source.rawValue)\",\"board\":\"\(batch.board)\",\"session\":\"\(batch.session)\""
    text.raw(Array(head.utf8))
    text.raw(Array(",\"boot\":\(batch.boot),\"stream\":\"\(batch.stream)\",\"seq\":".utf8))
    return (text.bytes, [])
  }
}

/// Times as ISO 8601 with microseconds, in one buffer: the seconds are written once for all samples in them.
package struct StampText: Sendable {
  private var second = Int64.min
  /// The time that was set last: `2026-11-20T20:40:34.123456Z`.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func set(_ time: Timestamp) {
    let microseconds = time.microseconds
    var whole = microseconds / 1_000_000
    var rest = microseconds % 1_000_000
    if rest < 0 { (whole, rest) = (whole - 1, rest + 1_000_000) }
    if whole != second {
      second = whole
      bytes =
        Array(ClockText.utc(Timestamp(milliseconds: whole * 1_000)).utf8.dropLast(4)) + Array("000000Z".utf8)
    }
    var left = UInt32(truncatingIfNeeded: rest)
    for place in 2...7 {
      bytes[bytes.count - place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: left % 10)
      left /= 10
    }
  }
}
