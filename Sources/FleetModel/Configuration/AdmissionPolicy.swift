/// Which boards may join by themselves.
public struct AdmissionPolicy: Hashable, Sendable {
  /// Only listed ones, every one, or every one for a while after the start.
  public enum Mode: String, Sendable, CaseIterable { case listed, open, window }

  /// Who may join.
  public var mode = Mode.listed
  /// How long admission is open after the start.
  public var window = Duration.seconds(120)
  /// Profile for what comes in.
  public var profile: String?

  /// All defaults.
  public init() {}
}

/// As the section `admission` of the file says it.
extension AdmissionPolicy {
  /// Reads checked keys; what is missing has its default.
  init(document: JSONObject) {
    mode = document["mode"]?.word() ?? mode
    window = document["window"]?.duration ?? window
    profile = document["profile"]?.string
  }

  /// Its keys.
  var document: JSONObject {
    var document: JSONObject = ["mode": .string(mode.rawValue), "window": .duration(window)]
    document["profile"] = profile.map { .string($0) }
    return document
  }
}
