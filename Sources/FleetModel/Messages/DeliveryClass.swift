/// What a message is worth when there is too much to say (MQTT API 6). Lower goes first, and is never dropped to
/// make room for higher.
package enum DeliveryClass: Int, Sendable, Comparable, CaseIterable {
  /// Replies and retained state.
  case state = 0
  /// Events and downloaded log entries.
  case event = 1
  /// Streamed batches: the only ones that a full outbox turns into gaps.
  case record = 2

  package static func < (left: DeliveryClass, right: DeliveryClass) -> Bool { left.rawValue < right.rawValue }
}
