/// How a group's job goes about its members: the key `job` of a request (MQTT contract 4.2).
public struct JobLimits: Hashable, Sendable {
  /// Members that have a command at once, 1–64.
  public var parallel = 8
  /// Members that are begun in a minute, 1–6000.
  public var perMinute = 600
  /// Share of failed and unknown among the finished, in percent, 1–100, above which no more are begun; nil = never.
  public var abortFailPercent: Int?

  /// All defaults.
  public init() {}

  /// Reads the key's value; nil where the request had none. Throws `invalid`, and names what is wrong.
  public init(_ value: JSONValue?) throws(CommandFailure) {
    guard let value else { return }
    guard let object = value.object else { throw .invalid("job must be an object") }
    for (key, value) in object.members {
      switch key {
      case "parallel": parallel = try Self.number(value, key, 1...64)
      case "per_min": perMinute = try Self.number(value, key, 1...6_000)
      case "abort_fail_pct": abortFailPercent = try Self.number(value, key, 1...100)
      default:
        throw .invalid(
          Suggestion.missing("key of job", key, among: ["parallel", "per_min", "abort_fail_pct"]))
      }
    }
  }

  /// The values in effect, as they are published.
  public var document: JSONObject {
    var document: JSONObject = [
      "parallel": .integer(Int64(parallel)), "per_min": .integer(Int64(perMinute)),
    ]
    document["abort_fail_pct"] = abortFailPercent.map { .integer(Int64($0)) }
    return document
  }

  private static func number(
    _ value: JSONValue, _ key: String, _ range: ClosedRange<Int64>
  ) throws(CommandFailure) -> Int {
    guard let number = value.integer, range.contains(number) else {
      throw .invalid("job.\(key) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return Int(number)
  }
}
