import ArgumentParser
import Simulator

/// Options of the commands that simulate boards.
struct SimulationOptions: ParsableArguments {
  @Option(help: "How many boards.") var boards = 8

  @Option(help: ArgumentHelp("Models, dealt out in turn: r, rl, s, rh (with humidity).", valueName: "list"))
  var models = "s,rl"

  @Option(help: "Decides motion, noise and batteries: the same seed gives the same boards.")
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      "How good the air is: \(RadioQuality.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "name"))
  var radio = RadioQuality.clear.rawValue

  @Option(
    help: ArgumentHelp(
      "What is done to boards and goes wrong with them, and when, a line for each; see simulate --help.",
      valueName: "file"), completion: .file())
  var script: String?

  /// Has what the script says happen.
  func play(on fleet: inout SimulationPlan) throws(CommandLineFailure) {
    if let script { fleet.faults = try FaultFile.read(script, boards: fleet.addresses) }
  }

  func plan(hasRandomFaults: Bool = false) throws(CommandLineFailure) -> SimulationPlan {
    var plan = try SimulationPlan(
      count: boards, models: models, seed: seed, hasRandomFaults: hasRandomFaults)
    try plan.choose(radio: radio)
    return plan
  }
}
