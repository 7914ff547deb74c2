import FleetModel
import Storage

extension OutboxMessage {
  static func reply(_ text: String = "{}", topic: String = "m/board/1/reply/led", at second: Int64 = 0)
    -> Self
  {
    OutboxMessage(
      MQTTMessage(topic: topic, payload: [UInt8](text.utf8)), as: .state, created: .at(second))
  }

  static func event(_ text: String = "{}", at second: Int64 = 0) -> Self {
    OutboxMessage(
      MQTTMessage(topic: "m/board/1/event/button", payload: [UInt8](text.utf8)), as: .event,
      created: .at(second))
  }

  static func record(
    _ text: String = "{}", topic: String = "m/board/1/record/acceleration", samples: Int = 25,
    at second: Int64 = 0
  ) -> Self {
    OutboxMessage(
      MQTTMessage(topic: topic, payload: [UInt8](text.utf8)), as: .record, samples: samples,
      created: .at(second))
  }

  static func state(_ text: String, topic: String = "m/board/1/state", at second: Int64 = 0) -> Self {
    OutboxMessage(
      MQTTMessage(topic: topic, payload: [UInt8](text.utf8), isRetained: true), as: .state,
      created: .at(second))
  }

  var text: String { String(decoding: payload, as: UTF8.self) }
}

extension Timestamp {
  static func at(_ second: Int64) -> Timestamp { Timestamp(milliseconds: 1_763_671_000_000 + second * 1_000) }
}
