package import FleetModel

/// Writes samples as rows of CSV, JSON Lines or InfluxDB's line protocol, for recordings and exports alike. Pure; the
/// caller takes the bytes away, which are whole rows at any time.
package struct SampleRows: Sendable {
  package enum Format: String, CaseIterable, Sendable {
    case csv, jsonl, lp

    /// The last line, by which a whole file is told from one that was cut off. JSON has no comments.
    package func ending(rows: Int) -> [UInt8] {
      switch self {
      case .csv: Array("# rows: \(rows)\r\n".utf8)
      case .lp: Array("# rows: \(rows)\n".utf8)
      case .jsonl: []
      }
    }
  }

  package let format: Format
  /// The columns of values in CSV: every field once, by name.
  package let fields: [StreamDefinition.Field]
  /// Whether there may be fields that nobody knew when the header was written: a last column, `other`, takes them.
  private let isOpen: Bool
  /// How many there were so far.
  package private(set) var rows = 0
  private var writer = JSONWriter(reserving: 1 << 18)
  private var stamp = StampText()
  private static let head = [
    "time", "error_ms", "clock", "board", "board_name", "session", "boot", "stream", "seq", "gap_before",
    "quality_reasons",
  ]

  package init(_ format: Format, fields all: [StreamDefinition.Field], isOpen: Bool = false) {
    self.format = format
    self.isOpen = isOpen
    var fields: [StreamDefinition.Field] = []
    for field in all where !fields.contains(where: { $0.name == field.name }) { fields.append(field) }
    self.fields = fields
  }

  /// Bytes that wait to be taken away.
  package var count: Int { writer.bytes.count }

  package mutating func take() -> [UInt8] { writer.take() }

  /// The first line of CSV. A field's name ends with its unit, where it has one.
  package mutating func header() {
    guard format == .csv else { return }
    let names = Self.head + fields.map { CSVText.field($0.name) } + (isOpen ? ["other"] : [])
    writer.raw(Array(names.joined(separator: ",").utf8))
    writer.raw("\r\n")
  }

  /// The last line of what has one.
  package mutating func end() { writer.raw(format.ending(rows: rows)) }

  /// A row for each sample. `name` is the board's, where it has one; `gateway` is whose batch it is.
  package mutating func add(_ batch: SampleBatch, name: String?, gateway: String) {
    rows += batch.count
    switch format {
    case .csv: addCSV(batch, name)
    case .jsonl: addJSON(batch, name)
    case .lp: writer.raw(LineProtocol.lines(batch, gateway: gateway))
    }
  }

  private mutating func addCSV(_ batch: SampleBatch, _ name: String?) {
    let places = fields.map { field in batch.fields.firstIndex { $0.name == field.name } }
    let others = batch.fields.indices.filter { !places.contains($0) }
    let before = Self.frame(of: batch, name)
    let reasons = CSVText.field(Self.reasons(of: batch))
    let width = batch.fields.count
    for index in batch.times.indices {
      stamp.set(batch.times[index])
      writer.raw(stamp.bytes)
      writer.raw(before)
      writer.integer(Int64(batch.sequence + index))
      writer.raw(",")
      if index == 0, batch.gapBefore != 0 { writer.integer(Int64(batch.gapBefore)) }
      writer.raw(",")
      writer.raw(Array(reasons.utf8))
      for place in places {
        writer.raw(",")
        guard let place, batch.values[index * width + place].isFinite else { continue }
        writer.fixed(batch.values[index * width + place], decimals: batch.fields[place].decimals)
      }
      if isOpen {
        writer.raw(",")
        writer.raw(Array(CSVText.field(Self.pairs(others, of: batch, at: index)).utf8))
      }
      writer.raw("\r\n")
    }
  }

  private mutating func addJSON(_ batch: SampleBatch, _ name: String?) {
    let before = Self.object(of: batch, name)
    let reasons = Self.reasons(of: batch)
    let labels = batch.fields.map { field in
      var label = JSONWriter()
      label.raw(",")
      label.string(field.name)
      label.raw(":")
      return label.bytes
    }
    let width = batch.fields.count
    for index in batch.times.indices {
      writer.raw("{\"time\":\"")
      stamp.set(batch.times[index])
      writer.raw(stamp.bytes)
      writer.raw(before)
      writer.integer(Int64(batch.sequence + index))
      if index == 0, batch.gapBefore != 0 {
        writer.raw(",\"gap_before\":")
        writer.integer(Int64(batch.gapBefore))
      }
      if !reasons.isEmpty {
        writer.raw(",\"quality_reasons\":")
        writer.string(reasons)
      }
      for (place, field) in batch.fields.enumerated() {
        let value = batch.values[index * width + place]
        guard value.isFinite else { continue }
        writer.raw(labels[place])
        writer.fixed(value, decimals: field.decimals)
      }
      writer.raw("}\n")
    }
  }
}

// What is alike in all rows of a batch.
extension SampleRows {
  /// What stands between a row's time and its number.
  private static func frame(of batch: SampleBatch, _ name: String?) -> [UInt8] {
    var text = JSONWriter()
    text.raw(",")
    if let error = batch.clock.errorMilliseconds { text.fixed(error, decimals: 3) }
    let columns = [
      batch.clock.source.rawValue, batch.board.description, CSVText.field(name ?? ""),
      batch.session.description, "\(batch.boot)", CSVText.field(batch.stream),
    ]
    text.raw(Array(columns.map { "," + $0 }.joined().utf8))
    text.raw(",")
    return text.bytes
  }

  private static func object(of batch: SampleBatch, _ name: String?) -> [UInt8] {
    var text = JSONWriter()
    text.raw("\"")
    if let error = batch.clock.errorMilliseconds {
      text.raw(",\"error_ms\":")
      text.fixed(error, decimals: 3)
    }
    text.raw(Array(",\"clock\":\"\(batch.clock.source.rawValue)\",\"board\":\"\(batch.board)\"".utf8))
    if let name {
      text.raw(",\"board_name\":")
      text.string(name)
    }
    text.raw(Array(",\"session\":\"\(batch.session)\",\"boot\":\(batch.boot),\"stream\":".utf8))
    text.string(batch.stream)
    text.raw(",\"seq\":")
    return text.bytes
  }

  /// One text, as on the live lane.
  private static func reasons(of batch: SampleBatch) -> String {
    batch.qualityReasons.map(\.rawValue).joined(separator: ",")
  }

  /// `name=value name=value` of the fields at these places.
  private static func pairs(_ places: [Int], of batch: SampleBatch, at index: Int) -> String {
    places.compactMap { place -> String? in
      let value = batch.values[index * batch.fields.count + place]
      guard value.isFinite else { return nil }
      var number = JSONWriter()
      number.fixed(value, decimals: batch.fields[place].decimals)
      return "\(batch.fields[place].name)=\(String(decoding: number.bytes, as: UTF8.self))"
    }.joined(separator: " ")
  }
}
