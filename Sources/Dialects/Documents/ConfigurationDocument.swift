package import FleetModel

/// The `config` document of a board (MQTT contract 1.5), below its limit of 64 KiB (section 9).
package struct ConfigurationDocument: TypedDocument {
  package var json: JSONObject

  package init(json: JSONObject) { self.json = json }

  /// In bytes.
  static let limit = 65_536
  private static let longestError = 4_096

  /// What does not fit is left out: whole sections of what is wanted and reported, the largest first, and `truncated`
  /// says so. The hashes are always those of the whole.
  init(_ report: ConfigurationReport, limit: Int = limit) {
    self.init(report)
    var desired = report.desired.document
    var reported = report.reported.document
    while JSONWriter.render(json).count > limit, let section = Self.largest(of: desired, reported) {
      desired[section] = nil
      reported[section] = nil
      self[.isTruncated] = true
      self[.desired] = desired
      self[.reported] = reported
    }
  }

  private init(_ report: ConfigurationReport) {
    self.init {
      $0[.changed] = report.changed
      $0[.board] = report.board
      $0[.profile] = report.profile ?? ""
      $0[.desired] = report.desired.document
      $0[.reported] = report.reported.document
      $0[.desiredHash] = CanonicalJSON.hash(report.desired.document)
      // A range of 3 g that the board takes as 4 g is what was wanted: values it rounds make no difference.
      $0[.reportedHash] = CanonicalJSON.hash(report.met.document)
      $0[.isInSync] = report.isInSync
      $0[.differences] = report.differences
      $0[.overlay] = report.overlay.map(\.text)
      $0[.foreign] = report.foreign
      $0[.slotsUsed] = JSONObject(
        report.slotsUsed.sorted { $0.key < $1.key }.map { ($0.key, .integer(Int64($0.value))) })
      $0[.applied] = report.applied
      $0[.error] = report.error.map { String($0.sentence.prefix(Self.longestError)) }
      $0[.reasonCode] = report.error?.code
    }
  }

  /// Whether the board logs something, as far as it is known to hold.
  package var logsSomething: Bool { self[.reported]?["log"]?.object?.isEmpty == false }

  /// Taken slots by their names.
  package var takenSlots: [(kind: String, count: Int)] {
    self[.slotsUsed]?.members.compactMap { kind, value in Int(json: value).map { (kind, $0) } } ?? []
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

extension DocumentField where Document == ConfigurationDocument, Value == Timestamp {
  package static var changed: Self { .init("ts_ms") }
  package static var applied: Self { .init("applied_ms") }
}

extension DocumentField where Document == ConfigurationDocument, Value == BoardID {
  package static var board: Self { .init("board") }
}

extension DocumentField where Document == ConfigurationDocument, Value == String {
  package static var profile: Self { .init("profile") }
  package static var desiredHash: Self { .init("desired_hash") }
  package static var reportedHash: Self { .init("reported_hash") }
  package static var error: Self { .init("error") }
}

extension DocumentField where Document == ConfigurationDocument, Value == JSONObject {
  package static var desired: Self { .init("desired") }
  package static var reported: Self { .init("reported") }
  fileprivate static var slotsUsed: Self { .init("slots_used") }
}

extension DocumentField where Document == ConfigurationDocument, Value == Bool {
  package static var isInSync: Self { .init("in_sync") }
  package static var isTruncated: Self { .init("truncated") }
}

extension DocumentField where Document == ConfigurationDocument, Value == [String] {
  package static var differences: Self { .init("differences") }
  package static var overlay: Self { .init("overlay") }
  package static var foreign: Self { .init("foreign") }
}

extension DocumentField where Document == ConfigurationDocument, Value == ReasonCode {
  package static var reasonCode: Self { .init("reason_code") }
}
