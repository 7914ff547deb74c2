import Dialects
import FleetModel
import Support

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
    await message(where: matches).text
  }

  /// The first message that matches of those after the `mark`-th, now or later.
  @discardableResult
  func message(
    after mark: Int, where matches: @escaping @Sendable (MQTTMessage) -> Bool
  ) async -> MQTTMessage {
    var index = mark
    while true {
      if let found = published[index...].first(where: matches) { return found }
      index = published.count
      await nextMessage()
    }
  }

  /// How many messages there are: a mark for `message(after:)`.
  var mark: Int { published.count }
}
