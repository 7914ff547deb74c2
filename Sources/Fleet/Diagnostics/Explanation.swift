package import FleetModel

/// Why data of a board are received, or not (MQTT contract 3.10, `explain`).
package struct Explanation: Hashable, Sendable {
  /// One thing that is the case, and what to do about it.
  package struct Cause: Hashable, Sendable {
    package var code: Code
    /// The recorded reason behind it, where a document gives one.
    package var reason: ReasonCode?
    package var since: Timestamp?
    package var text: String
    /// Whether the board does not do what it should because of it.
    package var isFault: Bool

    /// `isFault` only where the code alone does not decide it.
    package init(
      _ code: Code, reason: ReasonCode? = nil, since: Timestamp? = nil, isFault: Bool? = nil, _ text: String
    ) {
      (self.code, self.reason, self.since, self.text) = (code, reason, since, text)
      self.isFault = isFault ?? (code.kind == .fault)
    }
  }

  /// What is to happen by itself.
  package struct Step: Hashable, Sendable {
    package var time: Timestamp
    package var text: String

    package init(time: Timestamp, text: String) { (self.time, self.text) = (time, text) }
  }

  package var summary: String
  /// Whether data are received, now or with the next visit.
  package var hasData: Bool
  /// Most important first.
  package var causes: [Cause]
  package var next: [Step]

  package init(summary: String, hasData: Bool, causes: [Cause], next: [Step]) {
    (self.summary, self.hasData, self.causes, self.next) = (summary, hasData, causes, next)
  }

  /// Whether the board does what it should, as far as anybody has recorded.
  package var isFine: Bool { hasData && !causes.contains(where: \.isFault) }

  /// The data of the contract's reply.
  package var json: JSONObject {
    [
      "summary": .string(summary), "has_data": .bool(hasData), "ok": .bool(isFine),
      "causes": .array(
        causes.map { cause in
          var object: JSONObject = ["code": .string(cause.code.rawValue)]
          object["reason_code"] = cause.reason.map { .string($0.rawValue) }
          object["since_ms"] = cause.since.map { .integer($0.milliseconds) }
          object["text"] = .string(cause.text)
          return .object(object)
        }),
      "next": .array(
        next.map { ["at_ms": .integer($0.time.milliseconds), "text": .string($0.text)] }),
    ]
  }
}
