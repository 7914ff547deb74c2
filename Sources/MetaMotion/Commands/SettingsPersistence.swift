import BoardKit
import FleetModel

/// Keeps settings in macros that a board runs at every start (MQTT contract 3.9, `persist`).
struct SettingsPersistence {
  let exchange: Exchange
  let inventory: Inventory
  /// Knows our macros by their names.
  let programs: ProgramControl

  private var macros: MacroControl { MacroControl(exchange: exchange, inventory: inventory) }

  /// Whether a board has a macro of settings.
  enum MacroState {
    /// The newest such macro does just that.
    case kept
    case missing
    /// It is missing, and the board cannot take it.
    case refused(CommandFailure)
  }

  /// Looks at the board's macros.
  func state(of settings: SettingsMacro) async throws(ProtocolFailure) -> MacroState {
    guard inventory.has(.macro) else {
      return .refused(
        CommandFailure(
          .unsupported, "this \(inventory.model.rawValue) has no macros to keep settings in"))
    }
    let stored = try await programs.compareMacros(on: inventory) ?? programs.rememberedHeaders
    if let slot = SettingsMacro.newest(among: programs.macros),
      programs.memory.macros.values.contains(where: { $0.slot == slot && $0.macro == settings.macro })
    {
      return .kept
    }
    return try await macros.refusal(of: 1, beside: stored.count, isRunAtBoot: true).map(MacroState.refused)
      ?? .missing
  }

  /// Records it; tells whether it was read back. It needs no rehearsal: the same was written and proved a moment ago.
  func keep(_ settings: SettingsMacro) async throws(ProtocolFailure) -> Bool {
    let name = SettingsMacro.freeName(among: programs.macros.keys)
    let (_, differences) = try await macros.store(settings.macro, name, for: programs)
    if let difference = differences?.first { throw .unexpected(difference) }
    return differences != nil
  }
}
