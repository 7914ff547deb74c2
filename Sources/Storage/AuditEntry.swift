package import FleetModel

/// A request as the audit trail keeps it: who wanted what of whom, when, and what came of it.
package struct AuditEntry: Hashable, Sendable {
  /// How a request ended.
  package struct End: Hashable, Sendable {
    /// The final stage: `done`, `failed` or `unknown`.
    package var stage: String
    /// With `failed`: the code of the MQTT contract, section 6.
    package var code: String?
    /// Since arrival.
    package var took: Duration

    package init(stage: String, code: String? = nil, took: Duration) {
      self.stage = stage
      self.code = code
      self.took = took
    }
  }

  /// When the request arrived.
  package var time: Timestamp
  package var target: CommandTarget
  package var verb: String
  /// Of the request; one of ours where the sender gave none.
  package var id: String
  package var hasSenderID: Bool
  /// A JSON object as it was sent; empty where the request could not be read. Verbs take no secrets.
  package var arguments: [UInt8]
  /// What the sender said of itself: the MQTT 5 user properties of the request.
  package var sender: [UserProperty]
  /// Where the sender wanted the answers, which often names it.
  package var responseTopic: String?
  /// Refused on arrival: it was never accepted.
  package var isRefusal: Bool
  /// Nil while the command is under way.
  package var end: End?

  package init(
    time: Timestamp, target: CommandTarget, verb: String, id: String, hasSenderID: Bool = true,
    arguments: [UInt8] = [], sender: [UserProperty] = [], responseTopic: String? = nil,
    isRefusal: Bool = false, end: End? = nil
  ) {
    self.time = time
    self.target = target
    self.verb = verb
    self.id = id
    self.hasSenderID = hasSenderID
    self.arguments = arguments
    self.sender = sender
    self.responseTopic = responseTopic
    self.isRefusal = isRefusal
    self.end = end
  }
}
