import BoardKit
import FleetModel

/// The macros we remember, held against those that the board keeps.
extension ProgramControl {
  /// Compares, once per link: only while we have no link can somebody else erase or record any.
  func recallMacros(on board: Inventory) async throws(ProtocolFailure) {
    guard !areMacrosRecalled else { return }
    if !memory.macros.isEmpty { try await compareMacros(on: board) }
    areMacrosRecalled = true
  }

  /// Forgets the macros that the board no longer keeps, or keeps otherwise; they are not recorded again, because what
  /// runs at a start is nobody's business but the operator's (fault F49). Returns what the slots say; nil of a board
  /// that does not tell, where memory is all there is.
  @discardableResult
  func compareMacros(on board: Inventory) async throws(ProtocolFailure) -> [UInt8: Macro.Header]? {
    let reader = ResourceReader(exchange: exchange, inventory: board)
    let answers = try await reader.macros()
    if answers != nil { memory.answersMacros = true }
    // Where others told before, silence means that there are none: some firmware says nothing of empty slots.
    guard let stored = answers ?? (memory.answersMacros ? [:] : nil) else { return nil }
    for (name, known) in memory.macros.sorted(by: { $0.value.slot < $1.value.slot }) {
      if try await !keeps(known, stored[known.slot], reader) { memory.macros[name] = nil }
    }
    return stored
  }

  /// Whether the board still keeps a macro, as far as it tells.
  private func keeps(
    _ known: ProgramMemory.StoredMacro, _ header: Macro.Header?, _ reader: ResourceReader
  ) async throws(ProtocolFailure) -> Bool {
    guard let header, header.isRunAtBoot == known.macro.isRunAtBoot else { return false }
    let differences = try await reader.differences(of: known.macro, in: known.slot)
    return differences?.isEmpty ?? true
  }

  /// What we remember, as a board would tell it.
  var rememberedHeaders: [UInt8: Macro.Header] {
    Dictionary(
      memory.macros.values.map {
        (
          $0.slot,
          Macro.Header(isRunAtBoot: $0.macro.isRunAtBoot, length: UInt8(clamping: $0.macro.commands.count))
        )
      }, uniquingKeysWith: { first, _ in first })
  }

  /// A macro was recorded.
  func remember(_ macro: Macro, _ name: String, in slot: UInt8) {
    memory.macros[name] = ProgramMemory.StoredMacro(slot: slot, macro: macro)
  }

  /// They were erased.
  func forgetMacros() { memory.macros = [:] }

  /// Whether a name is one that can be given; those of trials that earlier versions left in slots cannot.
  static func isGiven(_ name: String) -> Bool { !name.contains(".") }
}
