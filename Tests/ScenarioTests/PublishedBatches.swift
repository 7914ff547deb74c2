import Dialects
import FleetModel

/// The batches of streams that were published, in order, and where they break off.
struct PublishedBatches {
  /// One batch.
  private struct Batch {
    /// Its place among all messages.
    var place: Int
    var session: String
    var first, next: Int64
    var samples: [JSONValue]
  }

  /// By board and stream.
  private var batches: [BoardID: [String: [Batch]]] = [:]

  init(_ messages: [MQTTMessage]) {
    for (place, message) in messages.enumerated() {
      let levels = message.topic.split(separator: "/").map(String.init)
      guard levels.count == 5, levels[1] == "board", levels[3] == "record", let board = BoardID(levels[2]),
        let batch = (try? StrictJSON.parse(message.payload, limits: .trusting))?.object,
        let session = batch["session"]?.string, let first = batch["seq"]?.integer,
        let samples = batch["samples"]?.array
      else { continue }
      batches[board, default: [:]][levels[4], default: []].append(
        Batch(
          place: place, session: session, first: first, next: first + Int64(samples.count), samples: samples))
    }
  }

  /// The streams of each board that began anew, or lack a sample, with a message among these.
  func broken(in places: Range<Int>) -> [BoardID: Set<String>] {
    batches.mapValues { streams in
      Set(
        streams.filter { _, batches in
          zip(batches, batches.dropFirst()).contains {
            places.contains($1.place) && ($0.session != $1.session || $0.next != $1.first)
          }
        }.keys)
    }
  }

  /// How many boards published a batch among these messages.
  func boards(in places: Range<Int>) -> Int {
    batches.values.count { $0.values.contains { $0.contains { places.contains($0.place) } } }
  }

  /// The accelerations of a board among the first `end` messages, as the chip tells them at ±4 g.
  func accelerations(of board: BoardID, before end: Int) -> [MeasuredSamples.Sample] {
    (batches[board]?["acceleration"] ?? []).filter { $0.place < end }.flatMap(\.samples).map { sample in
      ["ax_g", "ay_g", "az_g"].map { Int16(((sample.object?[$0]?.number ?? 0) * 8_192).rounded()) }
    }
  }
}
