import ArgumentParser
import Dialects
import FleetModel

/// How a rollout goes over its boards, as options of `rollout`; what nobody says is left to the gateway.
struct RolloutChoices: ParsableArguments {
  @Option(help: "Boards that get it first; without it one, and one more of each other kind of board.")
  var canary: Int?
  @Option(
    help: ArgumentHelp("A board that gets it first, by name or id; repeatable.", valueName: "board"),
    completion: FleetCompletion.boards)
  var first: [String] = []
  @Option(help: ArgumentHelp("How long the first ones are watched; else 1h.", valueName: "duration"))
  var soak: Span?
  @Option(help: "Boards an hour at first; else 5. That doubles with its success, up to 60.") var perHour: Int?
  @Option(help: "Boards at once, else 4; on one adapter never more than one.") var parallel: Int?
  @Option(
    help: ArgumentHelp("When boards may be begun, such as 22:00-05:00; repeatable.", valueName: "hours"))
  var hours: [String] = []
  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("End it after this time, whatever is left.", valueName: "duration"))
  var span: Span?
  @Flag(help: "Also replace bootloaders, where the firmware needs a newer one.") var allowBootloader = false
  @Flag(help: "Also boards that have the same version, or a newer one.") var force = false

  /// With the boards that are named, by what the broker knows of them.
  func arguments(
    _ version: String, _ resolution: TargetResolution
  ) throws(CommandLineFailure) -> RolloutArguments {
    var arguments = RolloutArguments(version: version)
    (arguments.canary, arguments.soak, arguments.perHour) = (canary, soak?.duration, perHour)
    (arguments.parallel, arguments.hours) = (parallel, hours)
    (arguments.allowsBootloader, arguments.isForced) = (allowBootloader, force)
    arguments.until = span.map { Timestamp.system + $0.duration }
    for board in first {
      guard case .board(let id) = try resolution.resolve(board) else {
        throw CommandLineFailure(.usage, "--first is for boards, not \(quoted(board))")
      }
      arguments.canaries.append(id.description)
    }
    return arguments
  }
}
