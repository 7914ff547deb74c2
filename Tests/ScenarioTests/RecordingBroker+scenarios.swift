import Dialects
import FleetModel
import Support
import Testing

extension MQTTMessage {
  var text: String { String(decoding: payload, as: UTF8.self) }

  /// Whether the payload holds `text`.
  func says(_ text: String) -> Bool { self.text.contains(text) }

  /// Whether it is the last answer to a command.
  var isFinalReply: Bool { (try? StrictJSON.parse(payload).object)?["ok"] != nil }
}

extension RecordingBroker {
  /// The payload of the first message that matches, now or later.
  @discardableResult
  func text(where matches: @escaping @Sendable (MQTTMessage) -> Bool) async -> String {
    await message(after: 0, where: matches).text
  }

  /// The first message that matches of those after the `mark`-th, now or later. Where the test's time has come instead,
  /// what each board and the gateway said last is told, and an empty message given.
  @discardableResult
  func message(
    after mark: Int, where matches: @escaping @Sendable (MQTTMessage) -> Bool
  ) async -> MQTTMessage {
    var index = mark
    while true {
      if let found = published[index...].first(where: matches) { return found }
      index = published.count
      if Task.isCancelled {
        let documents = retained.sorted { $0.key < $1.key }
          .map { "\($0.key) \(String(decoding: $0.value, as: UTF8.self))" }
        Issue.record("no such message came; retained:\n\(documents.joined(separator: "\n"))")
        return MQTTMessage(topic: "", payload: [])
      }
      await nextMessage()
    }
  }

  /// How many messages there are: a mark for `message(after:)`.
  var mark: Int { published.count }
}
