/// What a gateway that stops is about, in order: whoever gives up on it says where.
package enum StopStep: String, Sendable, CaseIterable {
  /// Sessions come to a safe point, and links end.
  case links
  /// What is said last goes to the disk and to the broker, and the connection to the broker ends.
  case messages
  /// All that matters is done; whatever runs beside it ends.
  case tasks

  /// What may be the matter where it does not come to an end.
  package var hindrance: String {
    switch self {
    case .links: "links to boards do not end; bluetoothd may not answer"
    case .messages: "the last messages are not taken; the disk may not answer"
    case .tasks: "all is done, but something that runs beside it does not end"
    }
  }
}
