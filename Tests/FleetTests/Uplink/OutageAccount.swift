import FleetModel

/// What arrived at a broker of the lane of records, and what gaps say of the rest. Pure.
struct OutageAccount: Hashable, Sendable {
  /// Samples by board and stream.
  private(set) var published: [String: Int] = [:]
  private(set) var missing: [String: Int] = [:]
  /// The numbers of the first samples of batches, in the order of arrival.
  private(set) var sequences: [String: [Int]] = [:]
  private(set) var gaps = 0
  private(set) var reasons: Set<String> = []
  private(set) var events = 0
  private(set) var logs = 0
  private(set) var replies = 0

  init(of messages: [MQTTMessage]) {
    for message in messages {
      let levels = message.topic.split(separator: "/").map(String.init)
      // Replies of the test are plain numbers.
      if message.topic.contains("/reply/") { replies += 1 }
      guard let document = (try? StrictJSON.parse(message.payload))?.object, levels.count > 4 else {
        continue
      }
      let count = Int(document["count"]?.integer ?? 0)
      switch levels[levels.count - 2] {
      case "record":
        let key = "\(levels[2]) \(levels[4])"
        published[key, default: 0] += count
        sequences[key, default: []].append(Int(document["seq"]?.integer ?? -1))
      case "event" where levels.last == "data-gap":
        missing["\(levels[2]) \(document["stream"]?.string ?? "")", default: 0] += count
        gaps += 1
        reasons.insert(document["reason"]?.string ?? "")
      case "event": events += 1
      case "log": logs += 1
      default: break
      }
    }
  }

  /// Samples by board and stream that are accounted for.
  var all: [String: Int] { published.merging(missing, uniquingKeysWith: +) }
}
