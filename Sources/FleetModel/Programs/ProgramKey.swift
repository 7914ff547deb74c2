/// Something that a board shall do by itself, by the name it was given on this board.
public struct ProgramKey: Hashable, Sendable, Comparable {
  /// The sections of a profile that hold such things (MQTT contract 7.4).
  public enum Kind: String, Sendable, CaseIterable {
    case chain = "process"
    case timer = "timers"
    case event = "events"

    /// The verb that makes one, and thus says what can be declared.
    var verb: VerbDefinition {
      switch self {
      case .chain: ProcessorVerbs.create
      case .timer: TimerVerbs.create
      case .event: TimerVerbs.bind
      }
    }

    /// What can be said of one, but for its name; whom it is meant for is said elsewhere.
    public var parameters: [Parameter] {
      verb.parameters.filter { $0.name != "name" && $0.name != TimerVerbs.confirmation.name }
    }
  }

  /// Chain, timer or event.
  public var kind: Kind
  /// Unique among those of its kind on a board.
  public var name: String

  /// Means `name` among those of its kind.
  public init(_ kind: Kind, _ name: String) { (self.kind, self.name) = (kind, name) }

  /// As overlays and differences say it (MQTT contract 1.5): `process/activity`.
  public var text: String { "\(kind.rawValue)/\(name)" }

  /// Reads such words; nil for others.
  public init?(text: String) {
    let parts = text.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2, let kind = Kind(rawValue: parts[0]) else { return nil }
    self.init(kind, parts[1])
  }

  /// Orders by kind, then by name.
  public static func < (left: ProgramKey, right: ProgramKey) -> Bool { left.text < right.text }
}
