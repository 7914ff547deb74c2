package import FleetModel
internal import GRDB

/// What a plot of a stretch of a session's stream is drawn from.
package struct StoredPlot: Sendable {
  package var fields: [StreamDefinition.Field]
  /// Those of the stretch, one behind the other.
  package var nodes: [PlotNode]
  /// Samples of the whole session, as far as they are kept or were.
  package var samples: Int

  package init(fields: [StreamDefinition.Field], nodes: [PlotNode], samples: Int) {
    (self.fields, self.nodes, self.samples) = (fields, nodes, samples)
  }
}

extension ArchiveReader {
  /// At least twice as many nodes as `buckets`, if there are so many, and at most 32 times as many: how many are read
  /// does not depend on how long the session is. Nil where not all of the session is summed up, since it was begun by
  /// an earlier version or is not published to its end.
  package func plot(
    of session: ULID, stream: String, from: Timestamp?, to: Timestamp?, buckets: Int
  ) throws(StoreFailure) -> StoredPlot? {
    try read { database in
      guard try database.tableExists("plot"),
        let row = try Row.fetchOne(
          database.cachedStatement(sql: PlotSearch.whole), arguments: [session.description, stream])
      else { return nil }
      var search = PlotSearch(
        plot: row["number"], from: from ?? Timestamp(nanoseconds: .min),
        to: to ?? Timestamp(nanoseconds: .max), buckets: max(1, buckets))
      let top = try PlotTable.nodes(of: search.plot, level: PlotLevel.count - 1, 0...Int.max, in: database)
      return StoredPlot(
        fields: try StoredFields.decode(row.bytes("fields"), of: stream),
        nodes: try search.nodes(below: top, in: database),
        samples: top.reduce(0) { $0 + $1.node.samples })
    }
  }
}

/// Goes down from the highest level, to where a plot is fine enough.
private struct PlotSearch {
  typealias Placed = (place: Int, node: PlotNode)

  let plot: Int64
  let (from, to): (Timestamp, Timestamp)
  let buckets: Int
  /// Nodes that are still looked into because something is missing within them.
  private var looksLeft = 500

  init(plot: Int64, from: Timestamp, to: Timestamp, buckets: Int) {
    (self.plot, self.from, self.to, self.buckets) = (plot, from, to, buckets)
  }

  mutating func nodes(below top: [Placed], in database: Database) throws -> [PlotNode] {
    var level = PlotLevel.count - 1
    var found = top.filter(isWanted)
    while level > 0, let first = found.first, let last = found.last {
      let places = first.place * PlotLevel.factor...last.place * PlotLevel.factor + PlotLevel.factor - 1
      guard places.count <= buckets * 2 * PlotLevel.factor else { break }
      level -= 1
      found = try PlotTable.nodes(of: plot, level: level, places, in: database).filter(isWanted)
    }
    guard let first = found.first, let last = found.last else { return [] }
    let span = (min(to, last.node.last) - max(from, first.node.first)).wholeNanoseconds
    return try found.flatMap { try split($0, at: level, above: span / Int64(buckets), in: database) }
  }

  private func isWanted(_ one: Placed) -> Bool { one.node.last >= from && one.node.first < to }

  /// A node that is longer than a stretch of the plot has a gap in it, which is to be seen.
  private mutating func split(
    _ one: Placed, at level: Int, above width: Int64, in database: Database
  ) throws -> [PlotNode] {
    guard level > 0, one.node.span > width, looksLeft > 0 else { return [one.node] }
    looksLeft -= 1
    let first = one.place * PlotLevel.factor
    let parts = try PlotTable.nodes(
      of: plot, level: level - 1, first...first + PlotLevel.factor - 1, in: database)
    return try parts.filter(isWanted).flatMap { try split($0, at: level - 1, above: width, in: database) }
  }

  /// A plot that holds all samples that there are of the session's stream.
  static let whole = """
    SELECT number, fields FROM plot WHERE id = ?1 AND stream = ?2
    AND NOT EXISTS (
      SELECT 1 FROM log_session WHERE log_session.id = ?1 AND (published < stored OR EXISTS (
        SELECT 1 FROM log_batch WHERE log_batch.session = log_session.number AND log_batch.stream = ?2
        AND log_batch.sequence < plot.sequence)))
    AND NOT EXISTS (
      SELECT 1 FROM kept_stream JOIN kept_samples ON kept_samples.session = kept_stream.number
      WHERE kept_stream.id = ?1 AND kept_samples.sequence < plot.sequence)
    """
}
