public import FleetModel

/// What came of bringing a board to its settings, key by key (MQTT contract 3.9).
public struct SettingsApplied: Hashable, Sendable {
  /// What the board has applied, with the values it uses.
  public var effective: JSONObject
  /// What was written, because the board had something else or cannot tell.
  public var written: [String]
  /// What could not be had, and why.
  public var refused: [String: CommandFailure]
  /// What was left as it is, because the link was made sturdier on purpose.
  public var exempt: [String]

  /// Describes the result.
  public init(
    effective: JSONObject = JSONObject(), written: [String] = [], refused: [String: CommandFailure] = [:],
    exempt: [String] = []
  ) {
    (self.effective, self.written, self.refused, self.exempt) = (effective, written, refused, exempt)
  }
}

/// What stands in a board's slots (MQTT contract 1.5).
public struct SlotUsage: Hashable, Sendable {
  /// How many are taken, by their names in the description's slots; only what the board tells.
  public var used: [String: Int]
  /// What of it is not ours, in words: `logger/3`.
  public var foreign: [String]

  /// Describes what was found.
  public init(used: [String: Int] = [:], foreign: [String] = []) {
    (self.used, self.foreign) = (used, foreign)
  }

  /// Takes note of how many slots are ours by now; what is not ours stays what it is.
  public mutating func update(own: [String: Int]) {
    for (kind, count) in own where used[kind] != nil {
      used[kind] = count + foreign.count { $0.hasPrefix(kind.dropLast() + "/") }
    }
  }
}
