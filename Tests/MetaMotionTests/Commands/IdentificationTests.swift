import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

@Suite(.timeLimit(.minutes(20)))
struct IdentificationTests {
  private static let before = bytes("0203 02 02 1f 00 d502 f401 d502 d007 0000 ff")

  /// White, ten flashes of half a second.
  private static let flashes = ["00", "01", "02"].map {
    bytes("0203 \($0) 02 1f 00 0000 6400 0000 f401 0000 0a")
  }

  private func reply(_ command: [UInt8]) -> [UInt8] { bytes("0283") + command.dropFirst(2) }

  private func expectFlashes(_ session: DriverSession) async throws {
    try await session.link.expect(bytes("020201"))
    try await session.link.expect(each: Self.flashes)
    try await session.link.expect(bytes("020101"))
    for (channel, flash) in zip(["028300", "028301", "028302"], Self.flashes) {
      try await session.link.expect(bytes(channel), answer: reply(flash))
    }
    try await session.link.expect(bytes("0801f8f40100"))
  }

  private func expectDisplay(_ session: DriverSession, playback: String) async throws {
    try await session.link.expect(bytes("028300"), answer: bytes("028300"))
    try await session.link.expect(bytes("028301"), answer: bytes("028301"))
    try await session.link.expect(bytes("028302"), answer: reply(Self.before))
    try await session.link.expect(bytes("0281"), answer: bytes(playback))
  }

  @Test(arguments: [("028101", ["020101"]), ("028100", []), ("028102", ["020102"])])
  func `flashes moves and shows again what it showed`(playback: String, restored: [String]) async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.identify(seconds: 5))
    try await expectDisplay(session, playback: playback)
    try await expectFlashes(session)
    await session.advance(by: .milliseconds(4_999))
    try await session.link.expectNothing()
    await session.advance(by: .milliseconds(1))
    try await session.link.expect(bytes("020201"))
    try await session.link.expect(Self.before)
    try await session.link.expect(each: restored.map(bytes))
    #expect(await outcome == .done(evidence: .readback, data: ["seconds": 5]))
    try await session.link.expectNothing()
  }

  @Test func `a board that tells nothing is dark afterwards`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS.with("0880"))
    async let outcome = session.perform(.identify(seconds: 5))
    try await session.link.expect(bytes("028300"))
    await session.advance(by: .seconds(1))
    try await session.link.expect(bytes("020201"))
    try await session.link.expect(each: Self.flashes)
    try await session.link.expect(bytes("020101"))
    try await session.link.expect(bytes("028300"))
    await session.advance(by: .seconds(1))
    await session.advance(by: .seconds(5))
    try await session.link.expect(bytes("020201"))
    #expect(await outcome == .done(evidence: .linkWrite, data: ["seconds": 5]))
    try await session.link.expectNothing()
  }

  @Test func `a link that ends meanwhile ends the wait`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.identify(seconds: 30))
    try await expectDisplay(session, playback: "028101")
    try await session.link.expect(bytes("020201"))
    await session.link.end(because: LinkFailure(.linkLost, "out of range"))
    guard case .unknown = await outcome else {
      Issue.record("not unknown")
      return
    }
  }
}
