/// What to read once (MQTT contract 3.3).
public struct ReadRequest: Hashable, Sendable {
  /// The `what` argument.
  public var what: String
  /// The selectors, checked and complete.
  public var selectors: JSONObject

  /// Wants `what`, selected by `selectors`.
  public init(what: String, selectors: JSONObject) {
    self.what = what
    self.selectors = selectors
  }
}
