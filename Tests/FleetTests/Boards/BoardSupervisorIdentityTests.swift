import FleetModel
import Support
import Testing
import VirtualTime

@testable import Fleet

/// Boards whose serial number is configured, in virtual time. The toy board tells none.
@Suite(.timeLimit(.minutes(20)))
struct BoardSupervisorIdentityTests {
  private func desired(serial: String?) -> DesiredBoard {
    var profile = Profile()
    profile.streams = ["acceleration": .acceleration(50)]
    return DesiredBoard(
      board: .number(1), origin: .file, profile: profile, groups: [], labels: [:], isEnabled: true,
      serial: serial)
  }

  @Test
  func
    `F165 a board without the configured serial number is left alone, told once, and taken when the configuration says so`()
    throws
  {
    let outcome = try SupervisorRig.play { rig in
      await rig.streams()
      await rig.board.change(to: desired(serial: "055B9E"))
      await rig.until { $0.reason?.code == .identityMismatch }
      await rig.pass(.seconds(3_600))
      await rig.until { $0.reason?.code == .identityMismatch }
      let (state, types) = await (rig.board.state, rig.log.types(of: .identity))
      let availability = await rig.log.availability.last?.0
      let since = rig.world.uptime
      await rig.board.change(to: desired(serial: nil))
      return await (state, types, availability, rig.streams(after: since) - since)
    }
    let (state, types, availability, taken) = try #require(outcome)
    #expect(state.reason?.code == .identityMismatch && !state.link.isConnected)
    #expect(types == ["mismatch"] && availability == .identityMismatch)
    #expect(taken <= .seconds(15))
  }
}
