/// The strongest proof that a command was done (MQTT API 5).
public enum Evidence: String, Sendable, CaseIterable {
  case readback, response
  case writeAcknowledged = "write-ack"
  case linkWrite = "link-write"
}

/// How a command ended. There is exactly one per accepted command.
public enum CommandOutcome: Hashable, Sendable {
  /// It was done. Gateway verbs have no evidence.
  case done(evidence: Evidence?, data: JSONObject)
  /// It was not done.
  case failed(CommandFailure)
  /// It may have been done; we cannot tell, and do not repeat it.
  case unknown(message: String)
}
