import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

@Suite(.timeLimit(.minutes(1)))
struct SettingsControlTests {
  private var settings: BoardSettings {
    var settings = BoardSettings()
    settings.name = "Pump 3"
    settings.transmissionPower = 4
    return settings
  }

  @Test func everyKeyIsReadBack() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.settings(settings))
    try await session.link.expect(bytes("110150756d702033"))
    try await session.link.expect(bytes("1181"), answer: bytes("118150756d702033"))
    try await session.link.expect(bytes("110304"))
    try await session.link.expect(bytes("1183"), answer: bytes("118304"))
    #expect(await outcome == .done(evidence: .readback, data: ["name": "Pump 3", "tx_dbm": 4]))
    try await session.link.expectNothing()
  }

  @Test func anotherValueIsTheBoardsFault() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.settings(settings))
    try await session.link.expect(bytes("110150756d702033"))
    try await session.link.expect(bytes("1181"), answer: bytes("11814d65746157656172"))
    guard case .failed(let failure) = await outcome else {
      Issue.record("not failed")
      return
    }
    #expect(failure.code == .boardError)
    #expect(failure.message.contains("name"))
  }

  @Test func silenceProvesNothing() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    var settings = BoardSettings()
    settings.transmissionPower = -4
    async let outcome = session.perform(.settings(settings))
    try await session.link.expect(each: [bytes("1103fc"), bytes("1183")])
    await session.advance(by: .seconds(1))
    #expect(await outcome == .done(evidence: .linkWrite, data: ["tx_dbm": -4]))
  }

  @Test func whatCannotBeReadIsOnlyWritten() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    var settings = BoardSettings()
    settings.startsAdvertising = true
    async let outcome = session.perform(.settings(settings))
    try await session.link.expect(bytes("1105"))
    #expect(await outcome == .done(evidence: .linkWrite, data: ["start_advertising": true]))
  }

  @Test func whatTheBoardCannotIsRefusedBeforeAnythingIsWritten() async throws {
    let session = try await DriverSession.interviewed(.metaMotionRL)
    var settings = settings
    settings.regulator = true
    guard case .failed(let failure) = await session.perform(.settings(settings)) else {

      Issue.record("not failed")
      return
    }
    #expect(failure.code == .unsupported)
    try await session.link.expectNothing()
  }
}
