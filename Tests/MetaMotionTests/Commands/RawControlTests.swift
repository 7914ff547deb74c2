import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

/// MQTT contract 3.10.
@Suite(.timeLimit(.minutes(20)))
struct RawControlTests {
  @Test func `packets are sent as they are`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    let outcome = await session.perform(.raw(RawCommand(packets: [bytes("020101"), bytes("fe03010100")])))
    #expect(outcome == .done(evidence: .linkWrite, data: ["packets": []]))
    try await session.link.expect(each: [bytes("020101"), bytes("fe03010100")])
  }

  @Test func `macros are acknowledged`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    let outcome = await session.perform(.raw(RawCommand(packets: [bytes("0f08")])))
    #expect(outcome == .done(evidence: .writeAcknowledged, data: ["packets": []]))
  }

  @Test func `as many answers as were wanted, each once`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    let command = RawCommand(packets: [bytes("0b84"), bytes("0b020304ff60")], answers: 2)
    async let outcome = session.perform(.raw(command))
    try await session.link.expect(bytes("0b84"), answer: bytes("0b841504000005"))
    try await session.link.expect(bytes("0b020304ff60"), answer: bytes("0b0200"))
    #expect(
      await outcome == .done(evidence: .response, data: ["packets": ["0b841504000005", "0b0200"]]))
  }

  @Test func `too few answers are the board's fault, and are told`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.raw(RawCommand(packets: [bytes("0b84")], answers: 2)))
    try await session.link.expect(bytes("0b84"), answer: bytes("0b841504000005"))
    await session.advance(by: .seconds(1))
    guard case .failed(let failure) = await outcome else {
      Issue.record("not failed")
      return
    }
    #expect(failure.code == .boardError && failure.data == ["packets": ["0b841504000005"]])
  }

  @Test func `sleeping is two commands`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.sleep)
    try await session.link.expect(each: [bytes("fe07"), bytes("fe01")])
    await session.link.end(because: LinkFailure(.linkLost, "the board left"))
    #expect(await outcome == .done(evidence: .response, data: [:]))
    let old = try await DriverSession.interviewed(TestBoard.metaMotionS.with("fe800000"))
    guard case .failed(let failure) = await old.perform(.sleep) else {
      Issue.record("not refused")
      return
    }
    #expect(failure.code == .unsupported)
  }
}
