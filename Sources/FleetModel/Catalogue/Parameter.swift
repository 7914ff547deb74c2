/// One named argument of a verb, one configuration key of a stream, or one key of the configuration file: declared
/// once, and from the declaration come validation, messages, help, schemas and documentation.
public struct Parameter: Sendable {
  /// The key as users write it, with its unit (`rate_hz`).
  public let name: String
  /// What values it takes.
  public let type: ParameterType
  /// Whether it must be given.
  public let isRequired: Bool
  /// What counts when it is left out; nil where leaving it out means something of its own.
  public let standard: JSONValue?
  /// What else is declared of a key of the configuration file; nil for arguments and keys of streams.
  public let file: FileKey?
  /// One sentence for people.
  public let summary: String

  /// Declares a parameter.
  public init(
    _ name: String, _ type: ParameterType, required: Bool = false, standard: JSONValue? = nil,
    file: FileKey? = nil, _ summary: String
  ) {
    self.name = name
    self.type = type
    isRequired = required
    self.standard = standard
    self.file = file
    self.summary = summary
  }
}

/// What is declared of a key of the configuration file beside what every parameter has.
public struct FileKey: Sendable {
  /// When a changed key takes effect.
  public enum Reload: String, Sendable, CaseIterable {
    /// When the file is read again.
    case live
    /// When the daemon starts again.
    case restart
  }

  /// What a change that takes effect at once does to boards that are connected. Boards that it does not concern notice
  /// nothing of it, whatever it does to others.
  public enum Reach: String, Sendable, CaseIterable {
    /// Nothing is written to boards, and no link ends.
    case nothing = "none"
    /// What differs is written to the boards concerned, over the links that they have; streams that are wanted as
    /// before lose no sample.
    case setup
    /// Links of the boards concerned end where the new value rules them out.
    case link
  }

  /// When a change takes effect; nil for a section, whose keys say it, and for what has no effect.
  public var reload: Reload?
  /// What it does to boards that are connected.
  public var reach = Reach.nothing
  /// What counts when the key is missing, where no value says it.
  public var whenMissing: String?
  /// A value for the example where there is no default, as the file would have it.
  public var sample: String?
  /// False: the key is read and checked, but its feature does not exist yet.
  public var isInEffect = true
  /// What the key was called in the version before this one: read in its place, with a warning, for this one version.
  public var formerName: String?
}
