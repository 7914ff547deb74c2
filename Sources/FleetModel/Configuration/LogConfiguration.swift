/// The daemon's own log.
public struct LogConfiguration: Hashable, Sendable {
  /// The least important message that is still written.
  public enum Level: String, Sendable, CaseIterable { case error, warning, info, debug }
  /// For people, or one JSON object per line.
  public enum Format: String, Sendable, CaseIterable { case text, json }

  /// The least important message that is written.
  public var level = Level.info
  /// How lines look.
  public var format = Format.text

  /// All defaults.
  public init() {}
}

/// As the section `log` of the file says it.
extension LogConfiguration {
  /// Reads checked keys; what is missing has its default.
  init(document: JSONObject) {
    level = document["level"]?.word() ?? level
    format = document["format"]?.word() ?? format
  }

  /// Its keys.
  var document: JSONObject { ["level": .string(level.rawValue), "format": .string(format.rawValue)] }
}
