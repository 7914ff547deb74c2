import FleetModel

/// Settings that verbs changed; they go before those of the profile (MQTT contract 1.5, 3.9). Kept across connections
/// and restarts of the gateway. A reset of the board ends those that it was not told to keep.
struct SettingsOverlay: Hashable, Sendable {
  /// Until the board's next reset.
  private var passing = SettingsDeclaration()
  /// In a macro that the board runs at every start.
  private var persistent = SettingsDeclaration()

  init() {}

  var isEmpty: Bool { passing.isEmpty && persistent.isEmpty }

  /// Keys that verbs changed.
  var keys: [String] { passing.laid(over: persistent).keys.keys.sorted() }

  /// What is wanted in all.
  func settings(over profile: SettingsDeclaration) -> SettingsDeclaration {
    passing.laid(over: persistent.laid(over: profile))
  }

  /// Takes note of a command that was done.
  mutating func note(_ command: SettingsCommand, profile: SettingsDeclaration) {
    let declared = command.declared.state
    if command.isPersistent {
      persistent = declared.laid(over: persistent)
      for key in declared.keys.keys { passing.withdraw(key) }
    } else {
      passing = declared.laid(over: passing)
    }
    let below = persistent.laid(over: profile)
    for (key, value) in passing.keys.members where below.keys[key] == value { passing.withdraw(key) }
  }

  /// The board was reset.
  mutating func boardReset() { passing = SettingsDeclaration() }

  /// The macros are gone; what they set stays until the next reset.
  mutating func macrosErased() {
    passing = passing.laid(over: persistent)
    persistent = SettingsDeclaration()
  }
}

extension SettingsDeclaration {
  /// Without what is done once and is no state of a board.
  var state: SettingsDeclaration {
    var state = self
    state.withdraw("start_advertising")
    return state
  }
}

extension SettingsOverlay {
  /// As kept on disk.
  var document: JSONObject {
    ["passing": .object(passing.keys), "persistent": .object(persistent.keys)]
  }

  /// Reads what was kept; what can no longer be declared is dropped.
  init(document: JSONObject) {
    passing = SettingsDeclaration(document: document["passing"]?.object ?? JSONObject())
    persistent = SettingsDeclaration(document: document["persistent"]?.object ?? JSONObject())
  }
}
