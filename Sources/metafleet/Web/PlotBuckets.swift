import FleetModel
import Storage
import Web

/// How a stream went, by stretches of time of one width: the smallest and largest values of each, however many samples
/// there are. What it holds does not grow with them. A stretch without samples is missing. Pure.
struct PlotBuckets: Sendable {
  private let question: PlotQuestion
  /// Where buckets are counted from, in milliseconds.
  private let origin: Int64
  /// In milliseconds.
  private(set) var width: Int64
  private(set) var buckets: [Int64: PlotNode] = [:]
  private var last: Int64?
  /// How often samples followed each other so closely: 2^n ms, and no less than half of that.
  private var steps = [Int](repeating: 0, count: 48)

  init(_ question: PlotQuestion) {
    self.question = question
    origin = question.from?.milliseconds ?? 0
    let span = question.from.flatMap { from in question.to.map { $0.milliseconds - from.milliseconds } } ?? 1
    width = max(1, (span + Int64(question.buckets) - 1) / Int64(question.buckets))
  }

  /// All of a plot that was summed up, which begins and ends where the question does, or where it does itself.
  init(_ question: PlotQuestion, of stored: StoredPlot) {
    var question = question
    question.from = question.from ?? stored.nodes.first?.first
    question.to = question.to ?? stored.nodes.last.map { $0.last + .milliseconds(1) }
    self.init(question)
    for node in stored.nodes { add(node) }
    finish()
  }

  /// A sample, with one value for each field.
  mutating func add(_ time: Timestamp, _ values: ArraySlice<Double>) {
    if let from = question.from, time < from { return }
    if let to = question.to, time >= to { return }
    let milliseconds = time.milliseconds
    if let last { note(step: milliseconds - last) }
    last = milliseconds
    put(PlotNode(at: time, values), at: milliseconds)
  }

  /// What was summed up. Where something is missing within it, both ends show all of its values.
  private mutating func add(_ node: PlotNode) {
    // Middles of neighbours are as far apart as they are long.
    note(step: node.span / 2_000_000)
    let (first, last) = (node.first.milliseconds, node.last.milliseconds)
    guard last - first > width else { return put(node, at: first + (last - first) / 2) }
    var (begin, end) = (node, node)
    end.samples = node.samples / 2
    begin.samples = node.samples - end.samples
    put(begin, at: first)
    put(end, at: last)
  }

  private mutating func put(_ node: PlotNode, at milliseconds: Int64) {
    var key = key(of: milliseconds)
    while buckets[key] == nil, buckets.count >= question.buckets {
      widen()
      key = self.key(of: milliseconds)
    }
    if buckets[key] == nil { buckets[key] = node } else { buckets[key]?.add(node) }
  }

  private mutating func note(step: Int64) {
    guard step > 0 else { return }
    steps[min(steps.count - 1, Int64.bitWidth - (step - 1).leadingZeroBitCount)] += 1
  }

  private func key(of milliseconds: Int64) -> Int64 {
    let distance = milliseconds - origin
    return distance >= 0 ? distance / width : -((-distance + width - 1) / width)
  }

  private mutating func widen() {
    width *= 2
    var wider: [Int64: PlotNode] = [:]
    for (key, bucket) in buckets {
      let half = key >> 1
      if wider[half] == nil { wider[half] = bucket } else { wider[half]?.add(bucket) }
    }
    buckets = wider
  }

  /// Makes stretches wide enough that neighbours of a stream without gaps are never missing: twice as wide as its
  /// samples mostly are apart.
  mutating func finish() {
    guard let usual = steps.indices.max(by: { steps[$0] < steps[$1] }), steps[usual] > 0 else { return }
    while width < Int64(1) << Int64(usual + 1) { widen() }
  }

  /// As `GET /api/session/<id>/plot` answers it.
  func object(fields: [String]) -> JSONObject {
    let rows = buckets.sorted { $0.key < $1.key }
    let first = rows.first.map { origin + $0.key * width }
    let end = rows.last.map { origin + ($0.key + 1) * width }
    var object: JSONObject = [
      "stream": .string(question.stream), "fields": .array(fields.map { .string($0) }),
    ]
    object["from_ms"] = (question.from?.milliseconds ?? first).map { .integer($0) }
    object["to_ms"] = (question.to?.milliseconds ?? end).map { .integer($0) }
    object["width_ms"] = .integer(width)
    object["buckets"] = .array(
      rows.map { key, bucket in
        let extremes = zip(bucket.lowest, bucket.highest).flatMap { [JSONValue.number($0), .number($1)] }
        return .array([.integer(origin + key * width), .integer(Int64(bucket.samples))] + extremes)
      })
    return object
  }
}
