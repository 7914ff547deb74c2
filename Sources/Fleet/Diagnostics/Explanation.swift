package import FleetModel

/// Why data of a board are received, or not (MQTT contract 3.10, `explain`).
package struct Explanation: Hashable, Sendable {
  /// What is in the way, by the contract's words, with a gateway that is gone, of which only others can tell, and the
  /// what the operator set.
  package enum Code: String, Sendable, CaseIterable {
    case notAdmitted = "not-admitted"
    case notSeen = "not-seen"
    case silentSince = "silent-since"
    case waitingForSlot = "waiting-for-slot"
    case connectFailing = "connect-failing"
    case busyElsewhere = "busy-elsewhere"
    case ownedElsewhere = "owned-elsewhere"
    case nextVisit = "next-visit"
    case bootloader, asleep
    case profileEmpty = "profile-empty"
    case notInSync = "not-in-sync"
    case streamSilent = "stream-silent"
    case streamRate = "stream-rate"
    case notLogged = "not-logged"
    case logFull = "log-full"
    case batteryEmpty = "battery-empty"
    case adapterDown = "adapter-down"
    case bluetoothDown = "bluetooth-down"
    case brokerRefused = "broker-refused"
    case storageFull = "storage-full"
    case clockUnset = "clock-unset"
    case gatewayStopped = "gateway-stopped"
    case disabled, held, drained
    case identityMismatch = "identity-mismatch"
    case identityChanged = "identity-changed"
  }

  /// One thing that is in the way, and what to do about it.
  package struct Cause: Hashable, Sendable {
    package var code: Code
    package var since: Timestamp?
    package var text: String

    package init(_ code: Code, since: Timestamp? = nil, _ text: String) {
      self.code = code
      self.since = since
      self.text = text
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

  /// The data of the contract's reply.
  package var json: JSONObject {
    [
      "summary": .string(summary), "has_data": .bool(hasData),
      "causes": .array(
        causes.map { cause in
          var object: JSONObject = ["code": .string(cause.code.rawValue)]
          object["since_ms"] = cause.since.map { .integer($0.milliseconds) }
          object["text"] = .string(cause.text)
          return .object(object)
        }),
      "next": .array(
        next.map { ["at_ms": .integer($0.time.milliseconds), "text": .string($0.text)] }),
    ]
  }
}
