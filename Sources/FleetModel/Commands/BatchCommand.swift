/// Several commands for one board that are carried out in their order, as one (MQTT contract 3.11).
public struct BatchCommand: Hashable, Sendable {
  /// One of the commands.
  public struct Step: Hashable, Sendable {
    /// Its verb, as it was sent.
    public var verb: String
    /// What it means.
    public var intent: BoardIntent

    /// Names a command.
    public init(verb: String, intent: BoardIntent) {
      self.verb = verb
      self.intent = intent
    }
  }

  /// In their order, 1–16.
  public var steps: [Step]
  /// Whether those behind one that was not done are begun all the same.
  public var continuesAfterFailure: Bool

  /// Puts commands in their order.
  public init(_ steps: [Step], continuesAfterFailure: Bool = false) {
    self.steps = steps
    self.continuesAfterFailure = continuesAfterFailure
  }
}
