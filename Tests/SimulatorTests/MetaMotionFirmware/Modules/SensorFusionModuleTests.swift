import Testing

@testable import Simulator

struct SensorFusionModuleTests {
  static let everything = ["03 02 01 00", "13 02 01 00", "15 02 01 00", "03 01 01", "13 01 01", "15 01 01"]
  static let registers: [UInt8] = [4, 5, 6, 7, 8, 9, 10]

  /// A board that fuses in `mode` with all outputs on and subscribed.
  static func bench(
    mode: UInt8, model: BoardModel = .s, style: Motion.Style = .everyday, sensors: [String] = everything,
    assumptions: FirmwareAssumptions = FirmwareAssumptions()
  ) -> Bench {
    var bench = Bench(model, style: style, assumptions: assumptions)
    _ = bench.write(bytes: [0x19, 0x02, mode, 0x13])
    for packet in sensors { bench.write(packet) }
    for register in registers { _ = bench.write(bytes: [0x19, register, 1]) }
    bench.write("19 03 7F 00", "19 01 01")
    return bench
  }

  @Test(
    arguments: [
      (UInt8(0), 0, []), (1, 100, [4, 5, 6, 7, 8, 9, 10]), (2, 100, [4, 5, 7, 8, 10]),
      (3, 25, [4, 6, 7, 8, 9]),
      (4, 50, [4, 6, 7, 8, 9]),
    ] as [(UInt8, Int, [UInt8])])
  func `A mode has its rate and its outputs`(_ mode: UInt8, _ rate: Int, _ outputs: [UInt8]) {
    var bench = Self.bench(mode: mode)
    let packets = bench.run(for: .seconds(1)).packets
    #expect(Set(packets.map { $0[1] }) == Set(outputs))
    #expect(packets.count == rate * outputs.count)
    let lengths: [UInt8: Int] = [4: 15, 5: 15, 6: 15, 7: 18, 8: 18, 9: 14, 10: 14]
    #expect(packets.allSatisfy { $0.count == lengths[$0[1]] })
  }

  @Test(arguments: Self.everything)
  func `Without one of its sensors the fusion stays silent`(_ missing: String) {
    var bench = Self.bench(mode: 1, sensors: Self.everything.filter { $0 != missing })
    #expect(bench.advance(by: .seconds(1)).isEmpty)
  }

  @Test(arguments: [BoardModel.rl, .s])
  func `Gravity, linear acceleration, attitude and field agree with each other and with the motion`(
    _ model: BoardModel
  ) throws {
    var bench = Self.bench(mode: 1, model: model)
    _ = bench.run(for: .seconds(20))
    _ = bench.firmware.happen(.turn(.landscapeRight), at: bench.now)
    _ = bench.firmware.happen(.walk(steps: 10, interval: .milliseconds(500)), at: bench.now)
    for _ in 0..<200 {
      let packets = bench.run(for: .milliseconds(10)).packets
      func values(_ register: UInt8) throws -> [Double] {
        try #require(packets.first { $0[1] == register }).floats()
      }
      let (gravity, linear, corrected) = (try values(9), try values(10), try values(4))
      for axis in 0..<3 {
        #expect(abs(gravity[axis] + linear[axis] - corrected[axis] / 1000 * 9.80665) < 1e-3)
      }
      // The quaternion turns the world's upward axis and the earth's field into what the board sees.
      let q = try values(7)
      #expect(abs(q.map { $0 * $0 }.reduce(0, +) - 1) < 1e-5)
      let up = Self.seen([0, 0, 1], by: q)
      let field = Self.seen(Motion.earthField, by: q)
      let magnetic = try values(6)
      for axis in 0..<3 {
        #expect(abs(up[axis] * 9.80665 - gravity[axis]) < 1e-3)
        #expect(abs(field[axis] - magnetic[axis]) < 1e-3)
      }
      let euler = try values(8)
      #expect((0..<360).contains(euler[0]) && euler[3] == euler[0])
      #expect(abs(euler[2]) <= 90 && abs(euler[1]) <= 180)
    }
  }

  /// A world's vector in the axes of a board whose axes `q` turns into the world's: rotated backwards.
  static func seen(_ v: SIMD3<Double>, by q: [Double]) -> SIMD3<Double> {
    let (w, x, y, z) = (q[0], -q[1], -q[2], -q[3])
    let tx = 2 * (y * v.z - z * v.y)
    let ty = 2 * (z * v.x - x * v.z)
    let tz = 2 * (x * v.y - y * v.x)
    return [v.x + w * tx + y * tz - z * ty, v.y + w * ty + z * tx - x * tz, v.z + w * tz + x * ty - y * tx]
  }

  @Test func `Angular velocity is how fast the attitude changes`() throws {
    var bench = Self.bench(mode: 1)
    _ = bench.firmware.happen(.turn(.landscapeLeft), at: bench.now)
    var packets = bench.run(for: .milliseconds(200)).packets
    let first = try #require(packets.last { $0[1] == 7 }).floats()
    packets = bench.run(for: .milliseconds(10)).packets
    let second = try #require(packets.last { $0[1] == 7 }).floats()
    let rotation = try #require(packets.last { $0[1] == 5 }).floats()
    // About x, half the angle in radians is the change of the angle's sine over its cosine.
    let dot = zip(first, second).map { $0 * $1 }.reduce(0, +)
    let halfAngle = (1 - min(dot * dot, 1)).squareRoot()
    #expect(abs(2 * halfAngle / 0.01 * Attitude.degrees - abs(rotation[0])) < 3)
  }

  @Test func `Calibration grows with time, the magnetometer's last, and starts again with the fusion`() {
    var bench = Self.bench(mode: 1)
    #expect(bench.write("19 8B") == ["19 8B 00 00 00"])
    _ = bench.advance(by: .seconds(4))
    #expect(bench.write("19 8B") == ["19 8B 01 03 00"])
    _ = bench.advance(by: .seconds(15))
    #expect(bench.write("19 8B") == ["19 8B 03 03 03"])
    bench.write("19 01 01")
    #expect(bench.write("19 8B") == ["19 8B 00 00 00"])
    var compass = Self.bench(mode: 3)
    _ = compass.advance(by: .seconds(20))
    #expect(compass.write("19 8B") == ["19 8B 03 00 03"])
  }

  @Test func `Resetting the orientation makes the present heading zero`() throws {
    var bench = Self.bench(mode: 1)
    _ = bench.advance(by: .seconds(10))
    bench.write("19 0F 01")
    let euler = try #require(bench.run(for: .milliseconds(10)).packets.first { $0[1] == 8 }).floats()
    #expect(min(euler[0], 360 - euler[0]) < 0.5)
  }

  @Test func `Calibration data read back, as written or zero`() {
    var bench = Bench(.s)
    #expect(bench.write("19 8C") == ["19 8C 00 00 00 00 00 00 00 00 00 00"])
    bench.write("19 0C F6 FF 00 00 0A 00 E8 03 03 00")
    #expect(bench.write("19 8C") == ["19 8C F6 FF 00 00 0A 00 E8 03 03 00"])
    var early = Bench(.r)
    #expect(early.write("19 8B", "19 8C").count == 2)
    var modules = BoardModel.r.modules
    modules[0x19] = [0, 0]
    var first = Bench(
      BoardModel(
        key: "first", modelNumber: "5", firmwareRevision: "1.2.0", hardwareRevision: "0.1", modules: modules))
    #expect(first.write("19 8B", "19 8C").isEmpty)
  }

  @Test func `What the fusion finds out can be read, written back and loaded`() {
    var bench = Self.bench(mode: 1)
    _ = bench.run(for: .seconds(20))
    let answers = bench.write("19 8C", "19 8D", "19 8E")
    let blocks = answers.map { Array([UInt8](hex: $0).dropFirst(2)) }
    #expect(blocks.allSatisfy { $0.count == 10 && $0[8] == 3 } && Set(blocks).count == 3)
    // It stays when the fusion ends.
    bench.write("19 01 00")
    #expect(bench.write("19 8B") == ["19 8B 00 00 00"])
    #expect(bench.write("19 8C", "19 8D", "19 8E") == answers)
    // Another board, or this one behind a reset, begins where the blocks say.
    var other = Bench(.s)
    for (register, block) in zip(UInt8(0x0C)...0x0E, blocks) {
      _ = other.write(bytes: [0x19, register] + block)
    }
    for packet in ["19 02 01 13"] + Self.everything + ["19 03 7F 00", "19 01 01"] { other.write(packet) }
    #expect(other.write("19 8B") == ["19 8B 03 03 03"])
    #expect(other.write("19 8C", "19 8D", "19 8E") == answers)
  }

  @Test func `A block that the host wrote is loaded by every change of the mode`() {
    var bench = Bench(.s)
    bench.write("19 0D 01 00 02 00 03 00 E8 03 03 00")
    for packet in ["19 02 01 13"] + Self.everything + ["19 03 7F 00", "19 01 01"] { bench.write(packet) }
    #expect(bench.write("19 8B") == ["19 8B 00 03 00"])
    bench.write("19 01 00", "19 02 02 13", "19 01 01")
    #expect(bench.write("19 8B") == ["19 8B 00 03 00"])
    #expect(bench.write("19 8D") == ["19 8D 01 00 02 00 03 00 E8 03 03 00"])
  }

  @Test(arguments: [("03", false), ("01", true)])
  func `A poor magnetometer calibration crashes the firmware when the mode is changed`(
    _ accuracy: String, _ crashes: Bool
  ) {
    var bench = Bench(.s)
    bench.write("19 0E 66 00 17 FD 8A FC 7F 03 \(accuracy) 00")
    #expect(bench.firmware.isConnected)
    bench.write("19 02 01 13")
    #expect(bench.firmware.isConnected != crashes)
    guard crashes else { return }
    _ = bench.run(for: .seconds(3))
    _ = bench.connect()
    #expect(bench.write("FE 8B", "19 82") == ["FE 8B 08 00 00 00", "19 82 00 13"])
  }

  @Test(arguments: VectorFile.cases("sensor-fusion", "sensor-fusion-config"))
  func `Configuration reads back as in the vectors`(_ vector: VectorFile.Case) {
    var bench = Bench(vector.boardModel)
    for packet in vector.writes.map({ [UInt8](hex: $0) }) where packet[1] & 0x80 == 0 {
      _ = bench.write(bytes: packet)
      guard packet[0] == 0x19, [0x02, 0x0C, 0x0D].contains(packet[1]), bench.firmware.isConnected else {
        continue
      }
      #expect(
        bench.write(bytes: [0x19, 0x80 | packet[1]]).packets == [[0x19, 0x80 | packet[1]] + packet[2...]])
    }
  }
}
