import FleetModel

/// Prometheus' text format 0.0.4: families with their help and type, then their samples. Pure.
struct MetricsText: Sendable {
  enum Kind: String { case counter, gauge, histogram }

  /// A value with its labels.
  struct Sample {
    var labels: [(String, String)] = []
    var value: Double

    init(_ value: Double, _ labels: [(String, String)] = []) { (self.value, self.labels) = (value, labels) }
  }

  static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var bytes: [UInt8] = []

  /// Adds a family; one without samples is left out, and so is what is no number.
  mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
    let samples = samples.filter(\.value.isFinite)
    guard !samples.isEmpty else { return }
    begin(name, kind, help)
    for sample in samples { add(name, sample) }
  }

  mutating func add(_ name: String, _ help: String, _ histogram: Histogram) {
    begin(name, .histogram, help)
    for (bound, count) in zip(histogram.bounds, histogram.cumulative) {
      add("\(name)_bucket", Sample(Double(count), [("le", ParameterType.plain(bound))]))
    }
    add("\(name)_bucket", Sample(Double(histogram.count), [("le", "+Inf")]))
    add("\(name)_sum", Sample(histogram.sum))
    add("\(name)_count", Sample(Double(histogram.count)))
  }

  private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    let escaped = help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
    bytes += "# HELP \(Self.prefix)\(name) \(escaped).\n# TYPE \(Self.prefix)\(name) \(kind.rawValue)\n".utf8
  }

  private static let prefix = "metafleet_"

  private mutating func add(_ name: String, _ sample: Sample) {
    bytes += Self.prefix.utf8
    bytes += name.utf8
    for (index, (label, value)) in sample.labels.enumerated() {
      bytes += (index == 0 ? "{" : ",").utf8
      bytes += label.utf8
      bytes += "=\"".utf8
      addEscaped(value)
      bytes += "\"".utf8
    }
    bytes += (sample.labels.isEmpty ? " " : "} ").utf8
    bytes += ParameterType.plain(sample.value).utf8
    bytes += "\n".utf8
  }

  private mutating func addEscaped(_ value: String) {
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: "\""): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): bytes += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      default: bytes.append(byte)
      }
    }
  }
}
