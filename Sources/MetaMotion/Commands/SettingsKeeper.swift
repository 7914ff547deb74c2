import BoardKit
import FleetModel

/// Keeps settings in macros that a board runs at every start (MQTT contract 3.9, `persist`).
struct SettingsKeeper {
  let exchange: Exchange
  let inventory: Inventory
  /// Knows our macros by their names.
  let programs: ProgramControl

  private var macros: MacroControl { MacroControl(exchange: exchange, inventory: inventory) }

  /// Why the board cannot keep any more; nil when it can.
  var refusal: CommandFailure? {
    get async throws(ProtocolFailure) {
      guard inventory.has(.macro) else {
        return CommandFailure(
          .unsupported, "this \(inventory.model.rawValue) has no macros to keep settings in")
      }
      return try await macros.refusal(of: 1, isRunAtBoot: true)
    }
  }

  /// Whether the newest such macro on the board does just that.
  func holds(_ settings: SettingsMacro) async throws(ProtocolFailure) -> Bool {
    guard inventory.has(.macro), let slot = SettingsMacro.newest(among: programs.macros) else { return false }
    let commands = settings.macro.commands
    let reply = try await exchange.probe(Macro.beginning, slot)
    guard let header = reply.flatMap({ Macro.header($0, of: slot) }),
      header == Macro.Header(isRunAtBoot: true, length: UInt8(clamping: commands.count))
    else { return false }
    for (place, command) in commands.enumerated() {
      let question = Macro.addition.read(slot, UInt8(clamping: place))
      let reply = try await exchange.probe(question, answer: Macro.addition.answer())
      // What does not fit an answer cannot be compared.
      guard command.count <= 18, let reply, Macro.command(reply) == command else { return false }
    }
    return true
  }

  /// Records it; tells whether it was read back. It needs no rehearsal: the same was written and proved a moment ago.
  func keep(_ settings: SettingsMacro) async throws(ProtocolFailure) -> Bool {
    let (slot, isVerified) = try await macros.store(settings.macro)
    programs.macros[SettingsMacro.freeName(among: programs.macros.keys)] = slot
    return isVerified
  }
}
