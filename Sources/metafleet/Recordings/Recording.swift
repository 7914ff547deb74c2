import Dialects
import FleetModel

/// Makes rows of what the record lane brings. Pure; the caller takes the bytes away.
struct Recording: Sendable {
  private var fleet: FleetView
  private var rows: SampleRows
  private(set) var account = RecordingAccount()
  /// Messages that were no batch.
  private(set) var unreadable = 0
  private let lane: String

  init(_ fleet: FleetView, rows: SampleRows, base: String) {
    (self.fleet, self.rows) = (fleet, rows)
    lane = base + "/board/"
    self.rows.header()
  }

  /// Takes a message in: a batch, or a document that says what a board is called.
  mutating func received(_ message: MQTTMessage) {
    guard isBatch(message.topic) else {
      return fleet.apply(topic: message.topic, payload: message.payload)
    }
    let document = RecordDocument(message.payload)
    let batch = document?.batch { StreamFields.declared($1, by: fleet.boards[$0]?.info) }
    guard let batch else {
      unreadable += 1
      return
    }
    let name = fleet.boards[batch.board]?.info?[.name]
    for places in account.add(batch) {
      rows.add(batch.part(places), name: name, gateway: document?[.gateway] ?? "")
    }
  }

  private func isBatch(_ topic: String) -> Bool {
    topic.hasPrefix(lane) && topic.dropFirst(lane.count).split(separator: "/").dropFirst().first == "record"
  }

  /// Bytes that wait to be taken away: whole rows.
  var count: Int { rows.count }

  mutating func take() -> [UInt8] { rows.take() }

  mutating func end() { rows.end() }

  /// Whether all came that was published since the beginning, and anything at all.
  var isWhole: Bool { account.samples > 0 && account.gaps == 0 && unreadable == 0 }

  /// What a person reads in the end.
  func sentence(writtenTo place: String) -> String {
    guard account.samples > 0 || unreadable > 0 else {
      return
        "no sample came; metafleet explain says why a board sends none, and only json among lanes.encodings "
        + "brings what is recorded"
    }
    var complaints = account.complaints
    if unreadable > 0 {
      complaints.append("\(CountText.of(unreadable, "message")) could not be read and went nowhere")
    }
    let verdict = complaints.isEmpty ? "no gaps" : complaints.joined(separator: "; ")
    return "\(account.text) written to \(place); \(verdict)"
  }
}
