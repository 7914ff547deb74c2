import FleetModel

/// Which chains of a board get their sensors, and which of them can be streamed. A chain needs its sensors to run as it
/// was told; where they cannot, the board does not get the chain (MQTT contract 2.2, 3.8).
struct ChainFeeding: Sendable {
  /// Chains whose sensors cannot be had, and why, as the streams were last applied.
  private(set) var unfed: [String: CommandFailure] = [:]
  /// What the board did not take of its program, and why. It stays so until another program is ordered: a chain that is
  /// tried again and again would take its sensor from others each time.
  var refused: [ProgramKey: CommandFailure] = [:]
  /// Chains without sensors when the program was last applied.
  private var judged: Set<String> = []

  /// The sensors to run, by names that no stream has. What the board does not take needs none.
  func feeds(of program: BoardProgram) -> [String: StreamRequest] {
    program.feeds.reduce(into: [:]) { feeds, feed in
      guard let chain = feed.chain, refused[ProgramKey(.chain, chain)] == nil else { return }
      feeds["\(chain)/\(feed.name)"] = feed
    }
  }

  /// Takes note of sensors that could not be had.
  mutating func note(_ refusals: [(feed: StreamRequest, failure: CommandFailure)]) {
    unfed = refusals.reduce(into: [:]) { unfed, refusal in
      guard let chain = refusal.feed.chain else { return }
      unfed[chain] = CommandFailure(
        refusal.failure.code, "\(chain) cannot compute: \(refusal.failure.message)",
        data: refusal.failure.data)
    }
  }

  /// What of a program can be asked of the board.
  mutating func feedable(_ program: BoardProgram) -> BoardProgram {
    judged = Set(unfed.keys)
    var rest = program
    for chain in unfed.keys { rest.chains[chain] = nil }
    return rest
  }

  /// Whether the program has to be judged again, because other chains lack their sensors by now.
  var isStale: Bool { judged != Set(unfed.keys) }

  /// All that the board does not do of its program, and why.
  var refusals: [ProgramKey: CommandFailure] {
    refused.merging(unfed.map { (ProgramKey(.chain, $0.key), $0.value) }) { _, unfed in unfed }
  }
}
