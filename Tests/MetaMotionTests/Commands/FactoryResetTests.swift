import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

/// Protocol reference, section 32; MQTT contract 3.10.
@Suite(.timeLimit(.minutes(20)))
struct FactoryResetTests {
  private static let sequence = ["0b0100", "0b09ffffffff", "0b0a", "0a05", "0908", "0f08", "fe05", "fe06"]

  @Test(arguments: [nil, 0, 7] as [Int64?])
  func `an empty log needs nothing to be given up`(discard: Int64?) async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.factoryReset(discard: discard))
    try await session.link.expect(bytes("0b85"), answer: bytes("0b8500000000"))
    try await session.link.expect(bytes("0b81"), answer: bytes("0b8100"))
    try await session.link.expect(bytes("0b1001"))
    try await session.link.expect(bytes("0b85"), answer: bytes("0b8500000000"))
    try await session.link.expect(each: Self.sequence.map(bytes))
    await session.link.end(because: LinkFailure(.linkLost, "the board left"))
    #expect(await outcome == .done(evidence: .response, data: [:]))
  }

  @Test(arguments: [nil, 0, 811, 813] as [Int64?])
  func `entries that nobody gave up exactly are not lost`(discard: Int64?) async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.factoryReset(discard: discard))
    try await session.link.expect(bytes("0b85"))
    // Whoever goes on although nobody gave them up fails here, instead of waiting for an answer.
    await session.link.failWrites(because: LinkFailure(.linkLost, "nothing more was to be written"))
    await session.link.answer(bytes("0b852c030000"))
    guard case .failed(let failure) = await outcome else {
      Issue.record("not refused")
      return
    }
    #expect(failure.code == .undownloadedData && failure.data == ["entries": 812])
    #expect(failure.message.contains("send discard=812"))
    try await session.link.expectNothing()
  }

  @Test func `what a running log adds meanwhile was not given up; it goes on`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.factoryReset(discard: 812))
    try await session.link.expect(bytes("0b85"), answer: bytes("0b852c030000"))
    try await session.link.expect(bytes("0b81"), answer: bytes("0b8101"))
    try await session.link.expect(each: [bytes("0b0100"), bytes("0b1001")])
    try await session.link.expect(bytes("0b85"), answer: bytes("0b852d030000"))
    try await session.link.expect(bytes("0b0101"))
    guard case .failed(let failure) = await outcome else {
      Issue.record("not refused")
      return
    }
    #expect(failure.data == ["entries": 813])
    try await session.link.expectNothing()
  }

  @Test(arguments: [nil, 0, 7] as [Int64?])
  func `entries that wait in memory for their page are counted, too`(discard: Int64?) async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.factoryReset(discard: discard))
    try await session.link.expect(bytes("0b85"), answer: bytes("0b8500000000"))
    try await session.link.expect(bytes("0b81"), answer: bytes("0b8100"))
    try await session.link.expect(bytes("0b1001"))
    try await session.link.expect(bytes("0b85"))
    await session.link.failWrites(because: LinkFailure(.linkLost, "nothing more was to be written"))
    await session.link.answer(bytes("0b8528000000"))
    guard case .failed(let failure) = await outcome else {
      Issue.record("not refused")
      return
    }
    #expect(failure.code == .undownloadedData && failure.data == ["entries": 40])
  }

  @Test func `firmware without that page is not told to write it`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionR)
    async let outcome = session.perform(.factoryReset(discard: nil))
    try await session.link.expect(bytes("0b85"), answer: bytes("0b8500000000"))
    try await session.link.expect(bytes("0b81"), answer: bytes("0b8100"))
    try await session.link.expect(each: Self.sequence.map(bytes))
    await session.link.end(because: LinkFailure(.linkLost, "the board left"))
    #expect(await outcome == .done(evidence: .response, data: [:]))
  }

  @Test func `F28 a board that does not tell its entries is left alone`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.factoryReset(discard: nil))
    for _ in 0..<2 {
      try await session.link.expect(bytes("0b85"))
      await session.advance(by: .seconds(5))
    }
    if case .done = await outcome { Issue.record("done") }
    try await session.link.expectNothing()
  }
}
