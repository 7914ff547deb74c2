internal import FleetModel
internal import FoundationEssentials
internal import GRDB

/// The statements about what plots are drawn from, to be run inside the transaction of whoever writes the samples.
enum PlotTable {
  /// Sums up the samples of a batch, which are new, under their session.
  static func add(_ batch: SampleBatch, in database: Database) throws {
    guard batch.count > 0, !batch.fields.isEmpty else { return }
    let key: StatementArguments = [batch.session.description, batch.stream]
    try database.executeCached(
      sql:
        "INSERT INTO plot (id, stream, fields, sequence) VALUES (?, ?, ?, ?) ON CONFLICT (id, stream) DO NOTHING",
      arguments: key + [Data(StoredFields.encode(batch.fields)), batch.sequence])
    let find = try database.cachedStatement(sql: "SELECT number FROM plot WHERE id = ? AND stream = ?")
    guard let plot = try Int64.fetchOne(find, arguments: key) else { return }
    for (level, nodes) in PlotLevel.nodes(of: batch).enumerated() {
      for (place, new) in nodes {
        var node = new
        if let row = try Row.fetchOne(
          database.cachedStatement(sql: PlotQuery.node), arguments: [plot, level, place])
        {
          node = try Self.node(row)
          node.add(new)
        }
        try database.executeCached(
          sql: PlotQuery.keep,
          arguments: [
            plot, level, place, node.first.nanoseconds, node.last.nanoseconds, node.samples,
            Data(bytes(of: node)),
          ])
      }
    }
  }

  /// Takes away what only sums up samples before the one numbered `sequence`.
  static func forget(_ session: ULID, before sequence: Int, in database: Database) throws {
    for level in 0..<PlotLevel.count {
      try database.executeCached(
        sql: PlotQuery.forget, arguments: [level, sequence / PlotLevel.size(level), session.description])
    }
  }

  /// The nodes of a level between two numbers, by number.
  static func nodes(
    of plot: Int64, level: Int, _ places: ClosedRange<Int>, in database: Database
  ) throws -> [(place: Int, node: PlotNode)] {
    let statement = try database.cachedStatement(sql: PlotQuery.nodes)
    let rows = try Row.fetchAll(statement, arguments: [plot, level, places.lowerBound, places.upperBound])
    return try rows.map { ($0["place"], try node($0)) }
  }

  private static func node(_ row: Row) throws -> PlotNode {
    let bytes = row.bytes("extremes")
    let values = stride(from: 0, to: bytes.count - 7, by: 8).map { place in
      Double(bitPattern: bytes[place..<place + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
    guard bytes.count.isMultiple(of: 16) else { throw StoreFailure.corrupt("the plot of a session") }
    return PlotNode(
      first: row.time("first_ns"), last: row.time("last_ns"), samples: row["samples"],
      lowest: Array(values.prefix(values.count / 2)), highest: Array(values.suffix(values.count / 2)))
  }

  /// The smallest values and then the largest, eight bytes each, the lowest byte first.
  private static func bytes(of node: PlotNode) -> [UInt8] {
    (node.lowest + node.highest).flatMap { value in
      (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> ($0 * 8)) }
    }
  }
}

/// The statements that rely on an index.
enum PlotQuery {
  static let node = """
    SELECT first_ns, last_ns, samples, extremes FROM plot_node WHERE plot = ? AND level = ? AND place = ?
    """
  static let nodes = """
    SELECT place, first_ns, last_ns, samples, extremes FROM plot_node
    WHERE plot = ? AND level = ? AND place BETWEEN ? AND ? ORDER BY place
    """
  static let keep = """
    INSERT OR REPLACE INTO plot_node (plot, level, place, first_ns, last_ns, samples, extremes)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    """
  static let forget = """
    DELETE FROM plot_node WHERE level = ? AND place < ? AND plot IN (SELECT number FROM plot WHERE id = ?)
    """
}
