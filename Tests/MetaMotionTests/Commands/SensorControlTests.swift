import BoardKit
import FleetModel
import Support
import Testing

@testable import MetaMotion

/// MQTT contract 3.9: calibrating, shifting and turning what sensors measure.
@Suite(.timeLimit(.minutes(20)))
struct SensorControlTests {
  private func outcome(
    _ command: SensorCommand, on board: TestBoard = .metaMotionS,
    _ dialogue: [(write: String, answer: String?)]
  ) async throws -> CommandOutcome {
    let session = try await DriverSession.interviewed(board)
    // Whoever writes what must not leave fails at once, instead of waiting for an answer.
    if dialogue.isEmpty {
      await session.link.failWrites(because: LinkFailure(.linkLost, "nothing was to be written"))
    }
    async let outcome = session.perform(.sensor(command))
    for (write, answer) in dialogue {
      if let answer {
        try await session.link.expect(bytes(write), answer: bytes(answer))
      } else {
        try await session.link.expect(bytes(write))
      }
    }
    let result = await outcome
    try await session.link.expectNothing()
    return result
  }

  private func effective(_ outcome: CommandOutcome) -> (Evidence?, JSONObject)? {
    guard case .done(let evidence, let data) = outcome, let effective = data["effective"]?.object else {
      return nil
    }
    return (evidence, effective)
  }

  private func code(_ outcome: CommandOutcome) -> CommandFailure.Code? {
    if case .failed(let failure) = outcome { failure.code } else { nil }
  }

  @Test func `the orientation is reset`() async throws {
    let done = try await outcome(.resetOrientation, [("190f01", nil)])
    #expect(effective(done)?.0 == .linkWrite)
    let old = try await outcome(.resetOrientation, on: .metaMotionR, [])
    #expect(code(old) == .unsupported)
  }

  @Test func `calibration is written and read back`() async throws {
    let block = bytes("04000800010000000300")
    let done = try await outcome(
      .calibrate([.gyroscope: block]),
      [("190d04000800010000000300", nil), ("198d", "198d04000800010000000300")])
    #expect(effective(done)?.0 == .readback)
    #expect(effective(done)?.1["gyroscope_block"] == "04000800010000000300")
    let differs = try await outcome(
      .calibrate([.gyroscope: block]),
      [("190d04000800010000000300", nil), ("198d", "198d00000800010000000300")])
    #expect(code(differs) == .boardError)
  }

  @Test func `T70 a magnetometer's block below accuracy 3 is not written, nor what came with it`()
    async throws
  {
    let poor = bytes("660017fd8afc7f030100")
    let refused = try await outcome(.calibrate([.acceleration: poor, .magnetometer: poor]), [])
    #expect(code(refused) == .invalid)
    let old = try await outcome(.calibrate([.acceleration: poor]), on: .metaMotionR, [])
    #expect(code(old) == .unsupported)
  }

  @Test func `steps begin at zero`() async throws {
    let old = try await outcome(.resetSteps, on: .metaMotionRL, [("031b", nil)])
    #expect(effective(old)?.0 == .linkWrite)
    // The watermark of 2 × 20 steps stays.
    let new = try await outcome(.resetSteps, [("038807", "038807000e0200"), ("030807000e0204", nil)])
    #expect(effective(new)?.0 == .linkWrite)
  }

  @Test func `the BMI270 keeps offsets by sensor`() async throws {
    let shift = SensorCommand.shift(.acceleration, x: 0.0039, y: 0.0078, z: -0.004, isOn: true)
    let done = try await outcome(
      shift, [("0390", "039000000000"), ("0310080102ff", nil), ("0390", "0390080102ff")])
    #expect(effective(done)?.0 == .readback)
    #expect(effective(done)?.1 == ["x": 0.0039, "y": 0.0078, "z": -0.0039, "enabled": true])
    let rotation = SensorCommand.shift(.angularVelocity, x: 1, y: -1, z: 31.11, isOn: true)
    // 16, -16 and 510 steps of 61 m°/s; the gain's switch, bit 7, stays.
    let turned = try await outcome(
      rotation, [("1386", "138600000080"), ("130610f0fedc", nil), ("1386", "138610f0fedc")])
    #expect(effective(turned)?.0 == .readback)
  }

  @Test func `the BMI160 keeps all offsets together`() async throws {
    let shift = SensorCommand.shift(.acceleration, x: 0.0039, y: 0, z: 0, isOn: true)
    let done = try await outcome(
      shift, on: .metaMotionRL,
      [
        ("0395", "039500000011223381"), ("031501000011223 3c1", nil), ("0395", "0395010000112233c1"),
      ])
    #expect(effective(done)?.0 == .readback)
    let rotation = SensorCommand.shift(.angularVelocity, x: -0.061, y: 0, z: 0, isOn: false)
    let turned = try await outcome(
      rotation, on: .metaMotionRL,
      [("0395", "0395010203000000c0"), ("0315010203ff000043", nil), ("0395", "0395010203ff000043")])
    #expect(effective(turned)?.1["enabled"] == false)
  }

  @Test func `shifts beyond the chip are invalid`() async throws {
    let far = SensorCommand.shift(.acceleration, x: 0.6, y: 0, z: 0, isOn: true)
    #expect(code(try await outcome(far, [])) == .invalid)
  }

  @Test
  func `F122 downsampling writes exponents and leaves the filters alone; it and axes are the BMI270's`()
    async throws
  {
    let turned = try await outcome(
      .axes("yx-z"), [("0308008101", nil), ("038800", "0388008101")])
    #expect(effective(turned)?.0 == .readback)
    for (onBoard, written) in [("00", "51"), ("80", "d1"), ("0b", "59"), ("ff", "d9")] {
      let thinned = try await outcome(
        .downsample(acceleration: 5, gyroscope: 1),
        [("0391", "0391" + onBoard), ("0311" + written, nil), ("0391", "0391" + written)])
      #expect(effective(thinned)?.1 == ["acceleration": 5, "gyroscope": 1])
    }
    #expect(code(try await outcome(.axes("yx-z"), on: .metaMotionRL, [])) == .unsupported)
    let other = SensorCommand.downsample(acceleration: 0, gyroscope: 0)
    #expect(code(try await outcome(other, on: .metaMotionRL, [])) == .unsupported)
    #expect(code(try await outcome(.axes("xxz"), [])) == .invalid)
  }
}
