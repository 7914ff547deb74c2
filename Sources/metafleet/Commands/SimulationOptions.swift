import ArgumentParser

/// Options of the commands that simulate boards.
struct SimulationOptions: ParsableArguments {
  @Option(help: "How many boards.") var boards = 8

  @Option(help: ArgumentHelp("Models, dealt out in turn: r, rl, s.", valueName: "list"))
  var models = "s,rl"

  @Option(help: "Decides motion, noise and batteries: the same seed gives the same boards.")
  var seed: UInt64 = 1

  func plan(hasRandomFaults: Bool = false) throws(CommandLineFailure) -> SimulationPlan {
    try SimulationPlan(count: boards, models: models, seed: seed, hasRandomFaults: hasRandomFaults)
  }
}
