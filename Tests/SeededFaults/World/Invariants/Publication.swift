import FleetModel

/// A message as a consumer sees it: the topic's parts, and the payload's keys.
struct Publication: Sendable {
  let message: MQTTMessage
  let levels: [Substring]

  init(_ message: MQTTMessage) {
    self.message = message
    levels = message.topic.split(separator: "/", omittingEmptySubsequences: false)
  }

  /// Whose document it is; nil for the gateway's.
  var board: BoardID? { levels.count > 2 && levels[1] == "board" ? BoardID(String(levels[2])) : nil }

  /// Whose document it is, as its topic says: `board/c0ffee000001`, `group/pumps`.
  var owner: String { levels.dropFirst().prefix(2).joined(separator: "/") }

  /// `state`, `record`, `reply` …
  var lane: Substring { levels.count > 3 ? levels[3] : "" }

  /// The stream, the event's kind, the verb.
  var name: String { levels.count > 4 ? String(levels[4]) : "" }

  var isGatewayAvailability: Bool {
    levels.count == 4 && levels[1] == "gateway" && levels[3] == "availability"
  }

  var text: String { String(decoding: message.payload, as: UTF8.self) }

  /// The payload, parsed in full.
  var document: JSONObject? { (try? StrictJSON.parse(message.payload, limits: .trusting))?.object }

  /// The simple members in front of a batch's samples: parsing all of it would take most of a run's time.
  var header: [Substring: Substring] {
    var members: [Substring: Substring] = [:]
    for part in text.prefix(400).split(separator: ",") {
      let pair = part.split(separator: ":", maxSplits: 1)
      guard pair.count == 2, let key = pair.first?.drop(while: { $0 == "{" }) else { continue }
      if key == "\"clock\"" { break }
      members[key.dropFirst().dropLast()] =
        pair[1].first == "\"" ? pair[1].dropFirst().dropLast() : pair[1]
    }
    return members
  }
}
