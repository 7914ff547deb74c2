import FleetModel

/// A request as the audit trail tells it: who wanted what of whom, when, and what came of it.
struct AuditLine: Hashable, Sendable {
  /// How a request ended.
  struct End: Hashable, Sendable {
    /// `done`, `failed` or `unknown`.
    var stage: String
    /// With `failed`: the code of the contract, section 6.
    var code: String?
    var took: Duration
  }

  /// When the request arrived.
  var time: Timestamp
  var target: CommandTarget
  var verb: String
  var id: String
  /// As they were sent; empty where the request could not be read.
  var arguments: JSONObject = [:]
  /// What the sender said of itself, in its order.
  var sender: [UserProperty] = []
  /// Where the sender wanted the answers, which often names it.
  var responseTopic: String?
  /// Whether it was refused on arrival.
  var isRefusal = false
  /// nil while the command is under way.
  var end: End?
}
