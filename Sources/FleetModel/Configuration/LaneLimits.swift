/// Bounds and encodings of the lanes that carry samples.
public struct LaneLimits: Hashable, Sendable {
  /// Samples per second of a board's stream on the live lane.
  public var liveRate = 10.0
  /// Samples in a record batch.
  public var maximumSamples = 500
  /// Stream time in a record batch.
  public var maximumSpan = Duration.milliseconds(250)
  /// How batches are written.
  public var encodings: Set<SampleEncoding> = [.json]

  /// All defaults.
  public init() {}
}

/// As the section `lanes` of the file says it.
extension LaneLimits {
  /// Reads checked keys; what is missing has its default.
  init(document: JSONObject) {
    let record = document["record"]?.object ?? [:]
    liveRate = document["live"]?.object?["rate_hz"]?.number ?? liveRate
    maximumSamples = record["max_samples"]?.integer.map { Int($0) } ?? maximumSamples
    maximumSpan = record["max_span"]?.duration ?? maximumSpan
    encodings =
      document["encodings"]?.array.map { Set($0.compactMap { $0.string.flatMap(SampleEncoding.init) }) }
      ?? encodings
  }

  /// Its keys.
  var document: JSONObject {
    [
      "live": ["rate_hz": JSONValue(plain: liveRate)],
      "record": ["max_samples": .integer(Int64(maximumSamples)), "max_span": .duration(maximumSpan)],
      "encodings": .array(SampleEncoding.allCases.filter(encodings.contains).map { .string($0.rawValue) }),
    ]
  }
}
