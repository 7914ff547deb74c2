/// What the operator wants of a kind of board.
public struct Profile: Hashable, Sendable {
  /// Whether the link is held.
  public enum LinkPolicy: String, Sendable, CaseIterable {
    case automatic = "auto"
    case hold, visit
  }

  /// Streams by name, with their configuration as the file has it, checked.
  public var streams: [String: StreamRequest] = [:]
  /// What boards keep on their flash, by name, with its configuration as the file has it, checked.
  public var logs: [String: StreamRequest] = [:]
  /// Whether the oldest entries give way when a board's flash is full.
  public var isLogCircular = false
  /// What boards shall do by themselves.
  public var program = ProgramDeclarations()
  /// How boards shall present and connect themselves.
  public var settings = SettingsDeclaration()
  /// Whether the button raises events.
  public var button = true
  /// Whether the link is held.
  public var link = LinkPolicy.automatic
  /// How boards are visited whose link is not held.
  public var visit = VisitPolicy()
  /// How long a board may be silent and still count as online; nil = by link policy.
  public var availabilityWindow: Duration?

  /// A board that is only looked after: battery and button.
  public init() {}
}

/// As an element of `profiles` says it.
extension Profile {
  /// Its keys, with what it has from others.
  var document: JSONObject {
    var document = JSONObject()
    for (key, requests) in [("stream", streams), ("log", logs)] where !requests.isEmpty {
      document[key] = .object(
        JSONObject(requests.sorted { $0.key < $1.key }.map { ($0.key, .object($0.value.configuration)) }))
    }
    document["logging"] = ["circular": .bool(isLogCircular)]
    for kind in ProgramKey.Kind.allCases {
      let entries = program[kind].entries.sorted { $0.key < $1.key }
      guard !entries.isEmpty else { continue }
      document[kind.rawValue] = .object(JSONObject(entries.map { ($0.key.name, .object($0.value)) }))
    }
    if !settings.isEmpty { document["settings"] = .object(settings.keys) }
    document["button"] = .bool(button)
    document["link"] = .string(link.rawValue)
    document["visit"] = .object(visit.document)
    document["availability_window"] = availabilityWindow.map { .duration($0) }
    return document
  }
}
