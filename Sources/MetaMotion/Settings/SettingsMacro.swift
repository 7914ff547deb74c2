/// Settings as a board keeps them over a reset: in a macro that it runs at every start (MQTT contract 3.9, `persist`).
struct SettingsMacro: Hashable, Sendable {
  /// What the macro does.
  let macro: Macro

  /// Of all that is set; a board that starts advertises without being told.
  init(_ plan: SettingsPlan) {
    macro = Macro(
      isRunAtBoot: true, commands: plan.steps.filter { !$0.followsChanges }.flatMap(\.writes))
  }

  /// Whether there is nothing to keep.
  var isEmpty: Bool { macro.commands.isEmpty }

  /// The name of such a macro among ours; they count up, because one macro cannot be erased or replaced.
  static func name(_ number: Int) -> String { number == 1 ? "settings" : "settings-\(number)" }

  /// The first name that none of ours has.
  static func freeName(among names: some Collection<String>) -> String {
    var number = 1
    while names.contains(name(number)) { number += 1 }
    return name(number)
  }

  /// The slot of the newest one, whose settings count in the end; nil where there is none.
  static func newest(among macros: [String: UInt8]) -> UInt8? {
    var newest: UInt8?
    var number = 1
    while let slot = macros[name(number)] {
      newest = slot
      number += 1
    }
    return newest
  }
}
