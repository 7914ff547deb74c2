import FleetModel
import Testing

@Suite struct LinkTruthTests {
  private static let board = Rig.boards(1)[0]

  private func judge(
    _ link: String, onRadio: Bool, inBlueZ: Bool, seconds: ClosedRange<Int>
  ) -> LinkTruth {
    var truth = LinkTruth()
    for second in seconds {
      truth.take(
        LinkTruth.Look(
          published: [Self.board: link], onRadio: onRadio ? [Self.board] : [],
          inBlueZ: inBlueZ ? [Self.board] : []), at: .seconds(second))
    }
    return truth
  }

  @Test(arguments: [
    ("streaming", true, true, 60, true), ("connecting", false, true, 60, true),
    ("advertising", false, false, 60, true),
    // Five seconds after BlueZ knew, fifteen after the radio.
    ("streaming", true, false, 5, true), ("streaming", true, false, 6, false),
    ("interviewing", false, true, 15, true), ("idle", false, true, 16, false),
    ("unreachable", true, true, 5, true), ("unseen", true, true, 6, false),
  ])
  func `I8 a state that is wrong for too long is found`(
    link: String, onRadio: Bool, inBlueZ: Bool, seconds: Int, isFine: Bool
  ) {
    let truth = judge(link, onRadio: onRadio, inBlueZ: inBlueZ, seconds: 0...seconds)
    #expect(truth.violations.isEmpty == isFine)
  }

  @Test func `I8 being right once begins a new count`() {
    var truth = judge("streaming", onRadio: true, inBlueZ: false, seconds: 0...4)
    let board = Self.board
    truth.take(.init(published: [board: "streaming"], onRadio: [board], inBlueZ: [board]), at: .seconds(5))
    truth.take(.init(published: [board: "streaming"], onRadio: [board], inBlueZ: []), at: .seconds(6))
    truth.take(.init(published: [board: "streaming"], onRadio: [board], inBlueZ: []), at: .seconds(11))
    #expect(truth.violations == [])
    #expect(truth.worst[.upWithoutBlueZ] == .seconds(5))
  }
}
