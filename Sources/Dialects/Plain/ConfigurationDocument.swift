import FleetModel

/// The `config` document of a board (MQTT contract 1.5), below its limit of 64 KiB (section 9).
enum ConfigurationDocument {
  /// In bytes.
  static let limit = 65_536
  private static let longestError = 4_096

  /// What does not fit is left out: whole sections of what is wanted and reported, the largest first, and `truncated`
  /// says so. The hashes are always those of the whole.
  static func render(_ report: ConfigurationReport, limit: Int = limit) -> JSONObject {
    var desired = report.desired.document
    var reported = report.reported.document
    var document = head(report)
    func fill() {
      document["desired"] = .object(desired)
      document["reported"] = .object(reported)
    }
    fill()
    while JSONWriter.render(document).count > limit, let section = largest(of: desired, reported) {
      desired[section] = nil
      reported[section] = nil
      document["truncated"] = true
      fill()
    }
    return document
  }

  private static func head(_ report: ConfigurationReport) -> JSONObject {
    func list(_ words: [String]) -> JSONValue { .array(words.map { .string($0) }) }
    var document: JSONObject = [
      "ts_ms": .integer(report.changed.milliseconds), "board": .string(report.board.description),
      "profile": .string(report.profile ?? ""), "desired": [:], "reported": [:],
      "desired_hash": .string(CanonicalJSON.hash(report.desired.document)),
      // A range of 3 g that the board takes as 4 g is what was wanted: values it rounds make no difference.
      "reported_hash": .string(CanonicalJSON.hash(report.met.document)),
      "in_sync": .bool(report.isInSync), "differences": list(report.differences),
      "overlay": list(report.overlay.map(\.words)), "foreign": list(report.foreign),
      "slots_used": .object(
        JSONObject(report.slotsUsed.sorted { $0.key < $1.key }.map { ($0.key, .integer(Int64($0.value))) })),
    ]
    document["applied_ms"] = report.applied.json
    document["error"] = report.error.map { .string(String($0.sentence.prefix(longestError))) }
    document["reason_code"] = report.error.map { .string($0.code.rawValue) }
    return document
  }

  private static func largest(of desired: JSONObject, _ reported: JSONObject) -> String? {
    func size(_ section: String) -> Int {
      [desired, reported].reduce(0) { sum, side in
        sum + (side[section]?.object.map { JSONWriter.render($0).count } ?? 0)
      }
    }
    return Set(desired.keys).union(reported.keys).sorted().max { size($0) < size($1) }
  }
}
