import Dialects
import FleetModel

/// Whether every sample of some boards came, by the batches that were published.
struct RecordedRuns {
  /// The batches by stream and board, in order.
  private var batches: [String: [(session: String, first: Int64, next: Int64)]] = [:]
  /// Boards that told of a lost link, or of another availability.
  private(set) var disturbed: Set<String> = []

  init(_ messages: some Sequence<MQTTMessage>) {
    for message in messages {
      let levels = message.topic.split(separator: "/").map(String.init)
      guard levels.count > 3, levels[1] == "board" else { continue }
      if message.topic.hasSuffix("/availability") || message.topic.hasSuffix("/event/link-lost") {
        disturbed.insert(levels[2])
      }
      guard levels[3] == "record",
        let batch = (try? StrictJSON.parse(message.payload, limits: .trusting))?.object,
        let session = batch["session"]?.string, let first = batch["seq"]?.integer,
        let count = batch["count"]?.integer
      else { continue }
      // What was on its way when the connection to the broker was made anew goes once more, and is the same.
      let next = first + count
      if batches[message.topic]?.contains(where: { $0 == (session, first, next) }) == true { continue }
      batches[message.topic, default: []].append((session, first, next))
    }
  }

  /// How many streams there are.
  var count: Int { batches.count }

  /// Streams that began anew, or of which a sample is missing.
  var broken: [String] {
    batches.filter { _, batches in
      zip(batches, batches.dropFirst()).contains { $0.session != $1.session || $0.next != $1.first }
    }.keys.sorted()
  }
}
