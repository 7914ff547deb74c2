import FleetModel

/// What verbs changed about what a board does by itself, laid over its profile. Survives links, resets and restarts
/// (MQTT contract 1.5).
struct ProgramOverlay: Hashable, Sendable {
  /// What verbs made or changed.
  private var made = ProgramDeclarations()
  /// What of the profile verbs removed.
  private var removed: Set<ProgramKey> = []

  init() {}

  var isEmpty: Bool { made.isEmpty && removed.isEmpty }

  /// What verbs changed.
  var keys: [ProgramKey] { Set(made.entries.keys).union(removed).sorted() }

  /// What is wanted in all.
  func declarations(over profile: ProgramDeclarations) -> ProgramDeclarations {
    var wanted = profile
    for key in removed { wanted.withdraw(key) }
    return made.laid(over: wanted)
  }

  /// Takes note of a command that was done.
  mutating func note(_ command: ProgramCommand, profile: ProgramDeclarations) {
    let wanted = declarations(over: profile).edited(by: command)
    made = wanted.besides(profile)
    removed = Set(profile.entries.keys).subtracting(wanted.entries.keys)
  }
}

extension ProgramOverlay {
  /// As kept on disk.
  var document: JSONObject {
    ["made": .object(made.document), "removed": .array(removed.sorted().map { .string($0.text) })]
  }

  /// Reads what was kept; what can no longer be declared is dropped.
  init(document: JSONObject) {
    made = document["made"]?.object.map { ProgramDeclarations(document: $0) } ?? ProgramDeclarations()
    removed = Set(
      (document["removed"]?.array ?? []).compactMap { $0.string.flatMap { ProgramKey(text: $0) } })
  }
}
