import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

/// How it can be seen that a sensor runs just so.
@Suite struct SensorRunTests {
  private func run(
    _ name: String, _ keys: JSONObject = [:], _ unit: SensorRun.Unit, on board: TestBoard = .metaMotionS
  ) throws -> SensorRun {
    let request = StreamRequest(name: name, configuration: keys, consumer: .log)
    let selection = StreamSelection([StreamKey(0): request], button: false, on: try board.inventory())
    #expect(selection.refused == [:])
    #expect(selection.consumed == [unit])
    return try #require(selection.setup.runs[unit])
  }

  private func questions(_ run: SensorRun) -> [String]? { run.readBacks?.map { $0.register.read().hex } }

  @Test func `settings and whether it samples are read back`() throws {
    let acceleration = try run("acceleration", ["rate_hz": 100], .accelerometer)
    let readBacks = try #require(acceleration.readBacks)
    #expect(questions(acceleration) == ["0382", "0383"])
    #expect(zip(readBacks, ["038201", "0383a801"]).allSatisfy { $0.agrees(with: bytes($1)) })
    #expect(zip(readBacks, ["038200", "0383a802"]).allSatisfy { !$0.agrees(with: bytes($1)) })
    #expect(readBacks.allSatisfy { !$0.agrees(with: bytes("03")) })
    #expect(try questions(run("magnetic-field", [:], .magnetometer)) == ["1582", "1584", "1583"])
    #expect(try questions(run("pressure", [:], .sensor(.barometer))) == ["1284", "1283"])
  }

  @Test func `fusion is read back with its chips and outputs`() throws {
    let fusion = try run("quaternion", ["mode": "imuplus"], .fusion)
    #expect(questions(fusion) == ["1981", "1982", "0383", "1383", "0382", "1382", "1983"])
    #expect(fusion.chips == [.accelerometer, .gyroscope])
    let outputs = try #require(fusion.readBacks?.last)
    #expect(outputs.agrees(with: bytes("198308")) && !outputs.agrees(with: bytes("198310")))
  }

  @Test func `F106 everything that a start switches on is read back, as far as a board tells`() throws {
    func asked(_ run: SensorRun) -> [String] { (run.switchReadBacks + run.power).map { $0.question.hex } }
    let fusion = try run("quaternion", ["mode": "ndof"], .fusion, on: .metaMotionR)
    #expect(asked(fusion) == ["1981", "0382", "1382", "1582", "1983", "0396", "1386"])
    let power = try #require(fusion.power.first)
    #expect(power.agrees(with: bytes("039610")) && power.agrees(with: bytes("039620")))
    #expect(!power.agrees(with: bytes("03964f")))
    #expect(asked(try run("acceleration", [:], .accelerometer, on: .metaMotionR)) == ["0382", "0396"])
    // The BMI270 does not tell its power.
    #expect(asked(try run("acceleration", [:], .accelerometer)) == ["0382"])
    #expect(asked(try run("pressure", [:], .sensor(.barometer))) == ["1284"])
    let request = StreamRequest(name: "any-motion", configuration: [:])
    let selection = StreamSelection(
      [StreamKey(0): request], button: false, on: try TestBoard.metaMotionS.inventory())
    let detector = try #require(selection.setup.runs[.detector(register: 0x06, bits: 0x40)])
    #expect(Set(asked(detector)) == ["0386", "0387"])
  }

  @Test func `what cannot be seen is not believed`() throws {
    let detector = try run("tap", [:], .detector(register: 0x0C, bits: 0), on: .metaMotionR)
    #expect(detector.readBacks == nil)
  }
}
