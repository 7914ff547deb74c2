/// One thing that is wanted of a board, by the section of its profile and its name there (MQTT contract 1.5, 7.4).
public struct SetupKey: Hashable, Sendable, Comparable {
  /// The sections of a profile that say what a board shall do.
  public enum Section: String, Sendable, CaseIterable {
    case stream, log, process, timers, events, settings
  }

  /// Where it stands.
  public var section: Section
  /// Unique in its section.
  public var name: String

  /// Means `name` in `section`.
  public init(_ section: Section, _ name: String) { (self.section, self.name) = (section, name) }

  /// The same as something that a board does by itself.
  public init(_ key: ProgramKey) {
    let section: Section =
      switch key.kind {
      case .chain: .process
      case .timer: .timers
      case .event: .events
      }
    self.init(section, key.name)
  }

  /// As overlays and differences say it: `stream/acceleration`.
  public var text: String { "\(section.rawValue)/\(name)" }

  /// Reads such words, and those of a difference, which say behind a blank what became of it; nil for others.
  public init?(text: String) {
    let name = text.split(separator: " ", maxSplits: 1).first ?? ""
    let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
    guard parts.count == 2, let section = Section(rawValue: parts[0]) else { return nil }
    self.init(section, parts[1])
  }

  /// Orders by section as its name is written, then by name.
  public static func < (left: SetupKey, right: SetupKey) -> Bool { left.text < right.text }
}
