import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

@Suite(.timeLimit(.minutes(20)))
struct DisconnectingCommandsTests {
  private static let commands: [(DeviceIntent, String)] = [
    (.reset, "fe01"), (.disconnect, "fe06"),
  ]

  @Test(arguments: commands)
  func `the end of the link is the answer`(intent: DeviceIntent, write: String) async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(intent)
    try await session.link.expect(bytes(write))
    await session.link.end(because: LinkFailure(.linkLost, "the board left"))
    #expect(await outcome == .done(evidence: .response, data: [:]))
    #expect(await session.link.written.last?.value == bytes(write))
  }

  @Test(arguments: commands)
  func `F28 a board that stays leaves the outcome unknown, and is told once only`(
    intent: DeviceIntent, write: String
  ) async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(intent)
    try await session.link.expect(bytes(write))
    await session.advance(by: .seconds(10))
    guard case .unknown = await outcome else {
      Issue.record("not unknown")
      return
    }
    try await session.link.expectNothing()
  }

  @Test(arguments: commands)
  func `nothing was sent on a link that is down`(intent: DeviceIntent, write: String) async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    await session.link.end(because: LinkFailure(.linkLost, "out of range"))
    guard case .failed(let failure) = await session.perform(intent) else {
      Issue.record("not failed")
      return
    }
    #expect(failure.code == .unreachable)
  }
}
