package import FleetModel

/// So many samples of a stream in a row: when they were taken, and the smallest and largest values of each field. What
/// a plot of a long log is drawn from, so that nobody has to read its samples. Pure.
package struct PlotNode: Hashable, Sendable {
  /// When the first and the last were taken.
  package var (first, last): (Timestamp, Timestamp)
  package var samples: Int
  /// A value for each field.
  package var (lowest, highest): ([Double], [Double])

  package init(
    first: Timestamp, last: Timestamp, samples: Int, lowest: [Double], highest: [Double]
  ) {
    (self.first, self.last, self.samples) = (first, last, samples)
    (self.lowest, self.highest) = (lowest, highest)
  }

  package init(at time: Timestamp, _ values: ArraySlice<Double>) {
    self.init(first: time, last: time, samples: 1, lowest: Array(values), highest: Array(values))
  }

  package mutating func add(_ other: PlotNode) {
    (first, last) = (min(first, other.first), max(last, other.last))
    samples += other.samples
    for index in lowest.indices where index < other.lowest.count {
      lowest[index] = min(lowest[index], other.lowest[index])
      highest[index] = max(highest[index], other.highest[index])
    }
  }

  /// From the first to the last; nanoseconds.
  package var span: Int64 { (last - first).wholeNanoseconds }
}

/// How nodes lie above each other: those of a level hold as many samples each, by the samples' numbers within their
/// session, and one of the level above holds `factor` of them. Samples and nodes are counted from 0.
enum PlotLevel {
  /// Samples of a node of the lowest level: it takes about a tenth of the room of what it sums up.
  static let samples = 128
  static let factor = 16
  /// The highest holds eight million samples a node.
  static let count = 5

  /// Samples of a node.
  static func size(_ level: Int) -> Int { (0..<level).reduce(samples) { size, _ in size * factor } }

  /// What the samples of a batch are, or are part of: for each level the nodes by their numbers.
  static func nodes(of batch: SampleBatch) -> [[Int: PlotNode]] {
    let width = batch.fields.count
    var levels = [[Int: PlotNode]](repeating: [:], count: count)
    for (index, time) in batch.times.enumerated() {
      let values = batch.values[index * width..<(index + 1) * width]
      add(PlotNode(at: time, values), to: &levels[0], at: (batch.sequence + index) / samples)
    }
    for level in 1..<count {
      for (place, node) in levels[level - 1] { add(node, to: &levels[level], at: place / factor) }
    }
    return levels
  }

  private static func add(_ node: PlotNode, to nodes: inout [Int: PlotNode], at place: Int) {
    if nodes[place] == nil { nodes[place] = node } else { nodes[place]?.add(node) }
  }
}
