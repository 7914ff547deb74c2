import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

@Suite(.timeLimit(.minutes(10)))
struct LeavingTests {
  private static let commands: [(DeviceIntent, String)] = [
    (.reset, "fe01"), (.disconnect, "fe06"),
  ]

  @Test(arguments: commands)
  func theEndOfTheLinkIsTheAnswer(intent: DeviceIntent, write: String) async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(intent)
    try await session.link.expect(bytes(write))
    await session.link.end(because: LinkFailure(.linkLost, "the board left"))
    #expect(await outcome == .done(evidence: .response, data: [:]))
    #expect(await session.link.written.last?.value == bytes(write))
  }

  @Test("F28 a board that stays leaves the outcome unknown, and is told once only", arguments: commands)
  func stays(intent: DeviceIntent, write: String) async throws {
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

  @Test("nothing was sent on a link that is down", arguments: commands)
  func linkIsDown(intent: DeviceIntent, write: String) async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    await session.link.end(because: LinkFailure(.linkLost, "out of range"))
    guard case .failed(let failure) = await session.perform(intent) else {
      Issue.record("not failed")
      return
    }
    #expect(failure.code == .unreachable)
  }
}
