import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

/// How it can be seen that a sensor runs just so.
@Suite struct SensorRunTests {
  private func run(
    _ name: String, _ keys: JSONObject = [:], _ unit: SensorRun.Unit, on board: TestBoard = .metaMotionS
  ) throws -> SensorRun {
    let request = StreamRequest(name: name, configuration: keys, feeding: .log)
    let selection = StreamSelection([StreamKey(0): request], button: false, on: try board.inventory())
    #expect(selection.refused == [:])
    #expect(selection.consumed == [unit])
    return try #require(selection.setup.runs[unit])
  }

  private func questions(_ run: SensorRun) -> [String]? { run.readBacks?.map { $0.register.read().hex } }

  @Test func settingsAndWhetherItSamplesAreReadBack() throws {
    let acceleration = try run("acceleration", ["rate_hz": 100], .accelerometer)
    let readBacks = try #require(acceleration.readBacks)
    #expect(questions(acceleration) == ["0382", "0383"])
    #expect(zip(readBacks, ["038201", "0383a801"]).allSatisfy { $0.agrees(with: bytes($1)) })
    #expect(zip(readBacks, ["038200", "0383a802"]).allSatisfy { !$0.agrees(with: bytes($1)) })
    #expect(readBacks.allSatisfy { !$0.agrees(with: bytes("03")) })
    #expect(try questions(run("magnetic-field", [:], .magnetometer)) == ["1582", "1584", "1583"])
    #expect(try questions(run("pressure", [:], .barometer)) == ["1284", "1283"])
  }

  @Test func fusionIsReadBackWithItsChipsAndOutputs() throws {
    let fusion = try run("quaternion", ["mode": "imuplus"], .fusion)
    #expect(questions(fusion) == ["1981", "1982", "0383", "1383", "0382", "1382", "1983"])
    #expect(fusion.chips == [.accelerometer, .gyroscope])
    let outputs = try #require(fusion.readBacks?.last)
    #expect(outputs.agrees(with: bytes("198308")) && !outputs.agrees(with: bytes("198310")))
  }

  @Test func whatCannotBeSeenIsNotBelieved() throws {
    let detector = try run("tap", [:], .detector(register: 0x0C, bits: 0), on: .metaMotionR)
    #expect(detector.readBacks == nil)
  }
}
