import FleetModel
import Support
import Testing

@testable import MetaMotion

@Suite struct RadioSettingsTests {
  @Test func `connection parameters, from the vendor's test: 750 to 1000 ms, 128, 16384 ms`() {
    let parameters = RadioSettings.Connection(
      interval: .milliseconds(750)...(.milliseconds(1000)), latency: 128, timeout: .milliseconds(16_384))
    #expect(parameters.command == bytes("1109 5802 2003 8000 6606"))
  }

  @Test func `times beyond the field do not trap`() {
    let parameters = RadioSettings.Connection(
      interval: .seconds(-1)...(.seconds(1_000_000)), timeout: .seconds(-5))
    #expect(parameters.command.count == 10)
  }

  @Test(
    arguments: [
      (10, ["111d01", "1109 2800 5000 0000 5802"]), (9, ["1109 2800 5000 0000 5802"]), (0, []), (nil, []),
    ] as [(UInt8?, [String])])
  func `F27 a flapping link is asked to be slower, as far as the firmware can`(
    revision: UInt8?, writes: [String]
  ) {
    let settings = BoardDescription.Module(
      id: 0x11, isPresent: true, implementation: 0, revision: revision, extra: [])
    #expect(RadioSettings.conservativeParameters(settings) == writes.map(bytes))
    #expect(RadioSettings.conservativeParameters(nil).isEmpty)
  }

  @Test func `F27 the driver writes it`() async throws {
    let session = try await DriverSession.interviewed(.metaMotionS.with("1180000a0700"))
    async let relaxed: Void = session.requestConservativeParameters()
    try await session.link.expect(each: ["111d01", "1109 2800 5000 0000 5802"].map(bytes))
    await relaxed
  }
}
