import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

/// Verbs whose packets follow from their arguments alone.
@Suite(.timeLimit(.minutes(20)))
struct OutputCommandTests {
  private static let commands: [(intent: DeviceIntent, writes: [String], data: JSONObject)] = [
    (.haptic(HapticCommand(.motor(percent: 100), milliseconds: 5_000)), ["0801f8881300"], [:]),
    (.haptic(HapticCommand(.buzzer, milliseconds: 7_500)), ["08017f4c1d01"], [:]),
    (.pin(PinCommand(pin: 2, isHigh: true, pull: .down)), ["050402", "050102"], ["pin": 2]),
    (.bus(.writeI2C(device: 0x68, register: 0x6B, [0xDE, 0xAD])), ["0d01686bff02dead"], [:]),
    (
      .beacon(
        BeaconCommand(
          isEnabled: true, uuid: bytes("326a900685cb9195d9dd464cfbbae75a"), major: 78, minor: 1,
          receivedPower: -55, transmittedPower: 0, periodMilliseconds: 700)),
      [
        "07025ae7bafb4c46ddd99591cb8506906a32", "07034e00", "07040100", "0705c9", "070600", "0707bc02",
        "070101",
      ], ["enabled": true]
    ),
    (.beacon(BeaconCommand(isEnabled: false)), ["070100"], ["enabled": false]),
  ]

  @Test(arguments: commands.indices)
  func `writes`(index: Int) async throws {
    let (intent, writes, data) = Self.commands[index]
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(intent)
    try await session.link.expect(each: writes.map { bytes($0) })
    #expect(await outcome == .done(evidence: .linkWrite, data: data))
    try await session.link.expectNothing()
  }

  @Test(
    arguments: [
      ("05890103", Evidence.readback as Evidence?), ("058903", .readback), ("05890102", nil),
    ])
  func `the kind of change is read back`(answer: String, evidence: Evidence?) async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.pin(PinCommand(pin: 1, pull: .up, change: .any)))
    try await session.link.expect(
      each: ["050a01", "050301", "05090103", "050b0101"].map { bytes($0) })
    try await session.link.expect(bytes("058901"), answer: bytes(answer))
    switch await outcome {
    case .done(let found, let data):
      #expect(found == evidence)
      #expect(data == ["pin": 1])
    case .failed(let failure):
      #expect(evidence == nil)
      #expect(failure.code == .boardError)
    case .unknown: Issue.record("unknown")
    }
  }

  @Test func `old firmware is believed`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.pin(PinCommand(pin: 1, change: .off)))
    try await session.link.expect(
      each: ["05090100", "050b0100", "050a00", "058901"].map { bytes($0) })
    await session.advance(by: .seconds(1))
    #expect(await outcome == .done(evidence: .linkWrite, data: ["pin": 1]))
  }

  @Test(arguments: ["0d81ff2a", "0d01ff2a"])
  func `answers of buses come in either form (trap T31)`(answer: String) async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.bus(.readI2C(device: 28, register: 13, length: 1)))
    try await session.link.expect(bytes("0d811c0dff01"), answer: bytes(answer))
    #expect(await outcome == .done(evidence: .response, data: ["hex": "2a"]))
  }

  @Test func `where no device answers a read has failed, and is not said to have had effects`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.bus(.readI2C(device: 29, register: 13, length: 1)))
    for _ in 1...2 {
      try await session.link.expect(bytes("0d811d0dff01"))
      await session.advance(by: .seconds(5))
    }
    #expect(
      await outcome
        == .failed(
          CommandFailure(.boardError, "nothing answers at address 29 of the I2C bus: check the device")))
  }

  @Test func `reads SPI`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    let link = BusCommand.SPI(
      slaveSelect: 10, clock: 0, output: 11, input: 7, mode: 3, clockIndex: 6, isLeastSignificantFirst: false,
      isNative: true)
    async let outcome = session.perform(.bus(.readSPI(link, length: 5, sending: [0xDA])))
    try await session.link.expect(bytes("0d820a000b0776f4da"), answer: bytes("0d820f0730810bc0"))
    #expect(await outcome == .done(evidence: .response, data: ["hex": "0730810bc0"]))
  }

  @Test func `too few bytes of a device are the boards fault`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS)
    async let outcome = session.perform(.bus(.readI2C(device: 28, register: 13, length: 2)))
    try await session.link.expect(bytes("0d811c0dff02"), answer: bytes("0d81ff2a"))
    guard case .failed(let failure) = await outcome else {
      Issue.record("not failed")
      return
    }
    #expect(failure.code == .boardError)
  }

  @Test(
    arguments: [
      (DeviceIntent.haptic(HapticCommand(.buzzer, milliseconds: 1)), "0880"),
      (.pin(PinCommand(pin: 9, isHigh: true)), ""), (.beacon(BeaconCommand()), "0780"),
      (.bus(.writeI2C(device: 1, register: 1, [1])), "0d80"),
      (
        .bus(
          .writeSPI(
            BusCommand.SPI(
              slaveSelect: 0, clock: 0, output: 0, input: 0, mode: 0, clockIndex: 0,
              isLeastSignificantFirst: false, isNative: true), [1])), "0d800000"
      ),
    ])
  func `what the board lacks is unsupported`(intent: DeviceIntent, module: String) async throws {
    let session = try await DriverSession.interviewed(
      TestBoard.metaMotionS.with(module.isEmpty ? "0180" : module))
    guard case .failed(let failure) = await session.perform(intent) else {
      Issue.record("not failed")
      return
    }
    #expect(failure.code == .unsupported)
    try await session.link.expectNothing()
  }
}
