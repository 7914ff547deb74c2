import FleetModel

/// Why a board's data come, or do not (MQTT contract 3.10, `explain`).
struct Explanation: Hashable, Sendable {
  /// What is in the way, by the contract's words. The last three are known only here: a gateway cannot say that it
  /// is gone, and two wishes of the operator that have no word there.
  enum Code: String, Sendable, CaseIterable {
    case notAdmitted = "not-admitted"
    case notSeen = "not-seen"
    case silentSince = "silent-since"
    case waitingForSlot = "waiting-for-slot"
    case connectFailing = "connect-failing"
    case busyElsewhere = "busy-elsewhere"
    case ownedElsewhere = "owned-elsewhere"
    case nextVisit = "next-visit"
    case quarantined, bootloader, asleep
    case profileEmpty = "profile-empty"
    case notInSync = "not-in-sync"
    case streamSilent = "stream-silent"
    case logFull = "log-full"
    case batteryEmpty = "battery-empty"
    case adapterDown = "adapter-down"
    case bluetoothDown = "bluetooth-down"
    case brokerRefused = "broker-refused"
    case storageFull = "storage-full"
    case clockUnset = "clock-unset"
    case gatewayStopped = "gateway-stopped"
    case disabled, held
  }

  /// One thing that is in the way, and what to do about it.
  struct Cause: Hashable, Sendable {
    var code: Code
    var since: Timestamp?
    var text: String

    init(_ code: Code, since: Timestamp? = nil, _ text: String) {
      self.code = code
      self.since = since
      self.text = text
    }
  }

  /// What is to happen by itself.
  struct Step: Hashable, Sendable {
    var time: Timestamp
    var text: String
  }

  var summary: String
  /// Whether data come, now or with the next visit.
  var hasData: Bool
  /// Most important first.
  var causes: [Cause]
  var next: [Step]

  /// The data of the contract's reply.
  var json: JSONObject {
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

  /// The same for people.
  func sheet(of name: String, now: Timestamp) -> FactSheet {
    var section = FactSheet.Section(title: printable("\(name): \(summary)"))
    for cause in causes {
      let age = cause.since.map { " (for \(Age.text(of: now - $0)))" } ?? ""
      section.add(cause.code.rawValue, cause.text + age, hasData ? .warning : .bad)
    }
    for step in next {
      let left = step.time - now
      section.add("next", "\(left <= .zero ? "now" : "in \(Age.text(of: left))"): \(step.text)")
    }
    if section.facts.isEmpty { section.add("causes", "none: all is as it should be", .good) }
    return FactSheet(sections: [section])
  }
}
