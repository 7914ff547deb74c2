/// Which boards may join by themselves.
public struct AdmissionPolicy: Hashable, Sendable {
  /// Only listed ones, every one, or every one for a while after the start.
  public enum Mode: String, Sendable, CaseIterable { case listed, open, window }

  /// Who may join.
  public var mode = Mode.listed
  /// How long the door stands open after the start.
  public var window = Duration.seconds(120)
  /// Profile for what comes in.
  public var profile: String?

  /// All defaults.
  public init() {}
}
