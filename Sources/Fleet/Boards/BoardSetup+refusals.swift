import BoardKit
import FleetModel

/// What a board cannot have of what is wanted, from all sections.
extension BoardSetup {
  /// Why a connected board does not do all that is wanted; nil when nothing was refused.
  var refusals: StatedReason? {
    let pins = refusedPins.sorted { $0.key < $1.key }.map { ("gpio/\($0.key)", $0.value) }
    let all =
      refused(.stream) { $0.name } + refused(.log) + refused(.process, .timers, .events)
      + pins + refused(.settings)
    guard !all.isEmpty else { return nil }
    return StatedReason(
      ReasonCode(refusals: all.map(\.1.code)),
      all.map { "\($0.0): \($0.1.message)" }.joined(separator: "; "))
  }

  /// The first thing of what profiles say that the board refused; nil when it does all that is wanted.
  var firstRefusal: CommandFailure? {
    (refused(.stream) + refused(.log) + refused(.process, .timers, .events) + refused(.settings)).first?.1
  }

  private func refused(
    _ sections: SetupKey.Section..., named name: (SetupKey) -> String = { $0.text }
  ) -> [(String, CommandFailure)] {
    reportedSetup.refused.filter { sections.contains($0.key.section) }.sorted { $0.key < $1.key }
      .map { (name($0.key), $0.value) }
  }

  /// What the board should log and does not, whether it is connected or not.
  var logTroubles: [StreamTrouble] {
    var failures: [String: CommandFailure] = [:]
    for (key, failure) in reportedSetup.refused where key.section == .log { failures[key.name] = failure }
    for name in desiredSetup.logs.keys { failures[name] = failures[name] ?? reportedSetup.logFailure }
    return failures.sorted { $0.key < $1.key }.map {
      StreamTrouble("log/\($0.key)", StatedReason(.notLogged, $0.value.message))
    }
  }
}
