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
  /// How many boards may be admitted at a time because they joined.
  public var maximumBoards = 100
  /// The weakest signal a board may join with, dBm; nil = any.
  public var minimumRSSI: Int?
  /// How many boards may join in any minute.
  public var perMinute = 10
  /// How long a board that joined may go without a first connection before it is removed; nil = for ever.
  public var expiry: Duration? = .seconds(7 * 86_400)

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
    maximumBoards = document["max_boards"]?.integer.map { Int($0) } ?? maximumBoards
    minimumRSSI = document["min_rssi_dbm"]?.integer.map { Int($0) }
    perMinute = document["per_min"]?.integer.map { Int($0) } ?? perMinute
    // `never` is no duration.
    if let value = document["expiry"] { expiry = value.duration }
  }

  /// Its keys.
  var document: JSONObject {
    var document: JSONObject = [
      "mode": .string(mode.rawValue), "window": .duration(window),
      "max_boards": .integer(Int64(maximumBoards)), "per_min": .integer(Int64(perMinute)),
      "expiry": expiry.map { JSONValue.duration($0) } ?? "never",
    ]
    document["profile"] = profile.map { .string($0) }
    document["min_rssi_dbm"] = minimumRSSI.map { .integer(Int64($0)) }
    return document
  }
}
