/// One staged answer to a command (MQTT contract 3.1).
public struct CommandReply: Hashable, Sendable {
  /// How far the command has come.
  public enum Stage: Hashable, Sendable {
    case accepted
    /// Waits for the board's next contact; until its expiry where nobody knows of one.
    case queued(eta: Timestamp?)
    /// Handed to the radio link.
    case sent
    /// Long work under way.
    case progress(percent: Double, eta: Timestamp?)
    /// The one final answer.
    case final(CommandOutcome, took: Duration)
    /// An answer given before, as it was stored.
    case repeated(JSONObject)
  }

  /// Identifier of the request; fresh when the request could not be read.
  public var id: String
  /// Whom the request addressed.
  public var target: CommandTarget
  /// The verb as in the topic.
  public var verb: String
  /// How far it has come.
  public var stage: Stage
  /// When this was said.
  public var time: Timestamp
  /// Where else it goes.
  public var replyTo: ReplyAddress
  /// What is sent beside the stage; a final answer's own data go before.
  public var data = JSONObject()

  /// Takes an answer's parts.
  public init(
    id: String, target: CommandTarget, verb: String, stage: Stage, time: Timestamp,
    replyTo: ReplyAddress = ReplyAddress()
  ) {
    self.id = id
    self.target = target
    self.verb = verb
    self.stage = stage
    self.time = time
    self.replyTo = replyTo
  }
}
