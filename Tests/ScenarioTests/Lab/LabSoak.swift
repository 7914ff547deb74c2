import FleetModel
import Synchronization
import Testing

/// Many boards in the laboratory, and a fault every few seconds: what is told of links is true in time, and in the end
/// all boards stream. Asked for by `Tests/BlueZLab/soak`.
@Suite struct LabSoak {
  /// Faults have stopped for so long when everything has to be well.
  private static let healing = Duration.seconds(300)

  @Test(.enabled(if: SoakOptions.asked != nil))
  func `I8 links are told as they are, whatever happens, and all boards stream in the end`() async throws {
    let options = try #require(SoakOptions.asked)
    let boards = Rig.boards(options.boards)
    let onRadio = RadioLinks()
    print("soak: seed \(options.seed), \(options.boards) boards, \(options.seconds) s of faults")
    let outcome = try await LabRig.play(
      boards: options.boards, seed: options.seed, { _ in }, onLink: { onRadio.note($0, isUp: $1) }
    ) { (rig) -> Soak? in
      guard let hand = rig.hand as? LabHand else { return nil }
      let soak = Soak(rig: rig, hand: hand, boards: boards, onRadio: onRadio)
      for board in boards { await rig.streams(board, after: 0) }
      await soak.run(for: .seconds(options.seconds), seed: options.seed)
      return soak
    }
    let soak = try #require(outcome ?? nil)
    print(await soak.report)
    #expect(await soak.truth.violations == [], "seed \(options.seed)")
    let healed = try #require(await soak.healed)
    #expect(healed <= Self.healing, "seed \(options.seed)")
  }
}

/// Which boards have a link on the radio, as the boards themselves see it.
final class RadioLinks: Sendable {
  private let boards = Mutex<Set<BoardID>>([])

  func note(_ board: BoardID, isUp: Bool) {
    boards.withLock { if isUp { $0.insert(board) } else { $0.remove(board) } }
  }

  var now: Set<BoardID> { boards.withLock { $0 } }
}
