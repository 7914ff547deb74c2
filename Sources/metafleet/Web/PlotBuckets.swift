import FleetModel
import Web

/// How a stream went, by stretches of time of one width: the smallest and largest values of each, however many samples
/// there are. What it holds does not grow with them. A stretch without samples is missing. Pure.
struct PlotBuckets: Sendable {
  /// A stretch of time.
  struct Bucket: Hashable, Sendable {
    var count: Int
    var lowest: [Double]
    var highest: [Double]

    fileprivate init(_ values: ArraySlice<Double>) {
      (count, lowest, highest) = (1, Array(values), Array(values))
    }

    fileprivate mutating func add(_ values: ArraySlice<Double>) {
      count += 1
      for (index, value) in values.enumerated() where index < lowest.count {
        lowest[index] = min(lowest[index], value)
        highest[index] = max(highest[index], value)
      }
    }

    fileprivate mutating func add(_ other: Bucket) {
      count += other.count
      for index in lowest.indices where index < other.lowest.count {
        lowest[index] = min(lowest[index], other.lowest[index])
        highest[index] = max(highest[index], other.highest[index])
      }
    }
  }

  private let question: PlotQuestion
  /// Where buckets are counted from, in milliseconds.
  private let origin: Int64
  /// In milliseconds.
  private(set) var width: Int64
  private(set) var buckets: [Int64: Bucket] = [:]
  private var last: Int64?
  /// How often samples followed each other so closely: 2^n ms, and no less than half of that.
  private var steps = [Int](repeating: 0, count: 48)

  init(_ question: PlotQuestion) {
    self.question = question
    origin = question.from?.milliseconds ?? 0
    let span = question.from.flatMap { from in question.to.map { $0.milliseconds - from.milliseconds } } ?? 1
    width = max(1, (span + Int64(question.buckets) - 1) / Int64(question.buckets))
  }

  /// A sample, with one value for each field.
  mutating func add(_ time: Timestamp, _ values: ArraySlice<Double>) {
    if let from = question.from, time < from { return }
    if let to = question.to, time >= to { return }
    let milliseconds = time.milliseconds
    if let last { note(step: milliseconds - last) }
    last = milliseconds
    var key = key(of: milliseconds)
    while buckets[key] == nil, buckets.count >= question.buckets {
      widen()
      key = self.key(of: milliseconds)
    }
    if buckets[key] == nil { buckets[key] = Bucket(values) } else { buckets[key]?.add(values) }
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
    var wider: [Int64: Bucket] = [:]
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
        return .array([.integer(origin + key * width), .integer(Int64(bucket.count))] + extremes)
      })
    return object
  }
}
