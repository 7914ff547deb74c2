import Dialects
import FleetModel

/// Every durable message has a key, and the same key always means the same bytes: who drops repeated keys sees each
/// thing once.
struct I10Keys: Invariant {
  private var known: [String: Int] = [:]

  mutating func observe(_ observation: Observation, at moment: Moment) -> String? {
    guard case .published(let publication) = observation, !publication.message.isRetained,
      publication.message.qualityOfService != .atMostOnce
    else { return nil }
    guard let key = Self.key(of: publication) else {
      return "no key in \(publication.message.topic) \(publication.text)"
    }
    let bytes = publication.message.payload.hashValue
    if let before = known.updateValue(bytes, forKey: key), before != bytes {
      return "\(key) is used again for \(publication.text)"
    }
    return nil
  }

  private static func key(of publication: Publication) -> String? {
    switch publication.lane {
    case "record": return publication.header["batch_id"].map(String.init)
    case "event": return publication.document?["event_id"]?.string
    case "reply":
      guard let document = publication.document, let id = document["id"]?.string,
        let stage = document["stage"]?.string
      else { return nil }
      // What is refused before acceptance is not remembered, and a repeat is refused anew.
      // Progress is said once a second.
      let isAnew = ["failed", "progress"].contains(stage) || document["duplicate"] == true
      let time = isAnew ? " \(document["ts_ms"]?.integer ?? 0) \(document["duplicate"] == true)" : ""
      return "\(publication.message.topic) \(id) \(stage)\(time)"
    default: return nil
    }
  }
}
