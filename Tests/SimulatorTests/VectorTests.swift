import Simulator
import Testing

/// The board's side of the vendor's vectors.
struct VectorTests {
  @Test(arguments: VectorFile.cases("init", "model-identification"))
  func `Every module id answers its information read as in the vector`(_ vector: VectorFile.Case) {
    var bench = Bench(vector.boardModel)
    for (_, reply) in vector.board.modules.sorted(by: { $0.key < $1.key }) {
      let bytes = [UInt8](hex: reply)
      #expect(bench.write(bytes: [bytes[0], 0x80]).packets == [bytes])
    }
  }

  @Test(arguments: VectorFile.cases("init").filter { $0.order != nil })
  func `An initialisation gets the vector's answers`(_ vector: VectorFile.Case) {
    // Tick 0x0415 of the run with reset count 5, as in the vectors.
    var bench = Bench(vector.boardModel, resetCount: 5)
    _ = bench.advance(by: .nanoseconds(1045 * 48 * 1_000_000_000 / 32768 + 1))
    var answers: [String] = []
    var writes = vector.writes[...]
    var expected = vector.inject.map { [UInt8](hex: $0).hex }[...]
    for step in vector.order ?? "" {
      if step == "w", let packet = writes.popFirst() { answers += bench.write(packet) }
      if step == "n" { #expect(answers.removeFirst() == expected.popFirst()) }
    }
  }

  @Test(
    arguments: VectorFile.cases("accelerometer-common", "accelerometer-bmi160", "accelerometer-bmi270"))
  func `An accelerometer's configuration reads back`(_ vector: VectorFile.Case) {
    let isBMI270 = vector.boardModel.modules[3]?.first == 4
    let configurations: Set<UInt8> =
      isBMI270 ? [0x03, 0x10, 0x11] : [0x03, 0x07, 0x0A, 0x0D, 0x10, 0x13, 0x18]
    let masks: Set<UInt8> = isBMI270 ? [0x02, 0x06, 0x07] : [0x02, 0x06, 0x09, 0x0C, 0x0F, 0x12, 0x17]
    var bench = Bench(vector.boardModel)
    for packet in vector.writes.map({ [UInt8](hex: $0) }) {
      _ = bench.write(bytes: packet)
      let (register, payload) = (packet[1], Array(packet[2...]))
      if isBMI270, register == 0x08 {
        #expect(bench.write(bytes: [3, 0x88, payload[0]]).packets == [[3, 0x88] + payload])
      } else if configurations.contains(register) {
        #expect(bench.write(bytes: [3, 0x80 | register]).packets == [[3, 0x80 | register] + payload])
      } else if masks.contains(register) {
        let mask = payload[0] & ~payload[1]
        #expect(bench.write(bytes: [3, 0x80 | register]).packets == [[3, 0x80 | register, mask]])
      }
    }
  }

  @Test(
    arguments: VectorFile.cases("settings").filter {
      ["1101", "1102", "1103"].contains($0.writes.first?.prefix(4))
    })
  func `Settings read back`(_ vector: VectorFile.Case) {
    let packet = [UInt8](hex: vector.writes[0])
    var bench = Bench(vector.boardModel)
    _ = bench.write(bytes: packet)
    let answer = [0x11, 0x80 | packet[1]] + packet[2...]
    #expect(bench.write(bytes: [0x11, 0x80 | packet[1]]).packets == [answer])
  }

  @Test(arguments: VectorFile.cases("led"))
  func `LED patterns read back as written`(_ vector: VectorFile.Case) {
    var bench = Bench(vector.boardModel)
    for packet in vector.writes.map({ [UInt8](hex: $0) }) where packet[1] == 0x03 {
      _ = bench.write(bytes: packet)
      #expect(bench.write(bytes: [2, 0x83, packet[2]]).packets == [[2, 0x83] + packet[2...]])
    }
  }

  @Test(
    arguments: VectorFile.cases(
      "switch", "accelerometer-common", "accelerometer-bmi160", "accelerometer-bmi270", "gyro-bmi160",
      "gyro-bmi270", "magnetometer", "barometer", "ambient-light", "gpio", "sensor-fusion"
    )
    .filter { $0.order?.hasPrefix("w") ?? false && $0.writes[0].hasSuffix("01") })
  func `A subscribed signal that fires is notified in the vector's form`(_ vector: VectorFile.Case) {
    var bench = Bench(vector.boardModel)
    let subscribe = [UInt8](hex: vector.writes[0])
    for packet in vector.inject.map({ [UInt8](hex: $0) }) where packet.count <= 17 {
      let spoof = [0xFE, 0x03, packet[0], packet[1], 0] + packet[2...]
      #expect(bench.write(bytes: spoof).isEmpty || packet != [UInt8](hex: vector.inject[0]))
      _ = bench.write(bytes: subscribe)
      #expect(bench.write(bytes: spoof).packets == [packet])
    }
  }

  @Test func `Debug reads answer as in the vectors`() throws {
    let vectors = VectorFile.cases("debug")
    let queues = try #require(vectors.first { $0.writes == ["fe8a"] })
    let key = try #require(vectors.first { $0.writes == ["fe84"] })
    var bench = Bench(queues.boardModel)
    #expect(bench.write(queues.writes[0]) == queues.inject.map { [UInt8](hex: $0).hex })
    #expect(bench.write("FE 04 EF BE AD DE", key.writes[0]) == key.inject.map { [UInt8](hex: $0).hex })
  }

  @Test func `Settings reads answer as in the vectors`() throws {
    let vectors = VectorFile.cases("settings")
    for name in ["read-adv-name", "read-conn-params"] {
      let vector = try #require(vectors.first { $0.name == name })
      var bench = Bench(vector.boardModel)
      #expect(bench.write(vector.writes[0]) == vector.inject.map { [UInt8](hex: $0).hex })
    }
  }

  @Test(arguments: VectorFile.cases("temperature").filter { $0.kind == "command" && $0.writes.count == 1 })
  func `Temperature reads are answered when loud, in the vectors' form`(_ vector: VectorFile.Case) {
    var bench = Bench(vector.boardModel)
    let packet = [UInt8](hex: vector.writes[0])
    let answers = bench.write(bytes: packet).packets
    #expect(answers.count == (packet[1] == 0x81 ? 1 : 0))
    #expect(answers.allSatisfy { $0.count == 5 && $0[..<3] == [4, 0x81, packet[2]] })
  }

  /// Register 02 of gyroscope and magnetometer is a mask, those named here are configurations.
  private static let configurations: [UInt8: Set<UInt8>] = [
    0x12: [0x03, 0x04], 0x13: [0x03], 0x14: [0x02], 0x15: [0x03, 0x04],
  ]

  @Test(
    arguments: VectorFile.cases("gyro-bmi160", "gyro-bmi270", "magnetometer", "barometer", "ambient-light"))
  func `A sensor's configuration reads back`(_ vector: VectorFile.Case) {
    var bench = Bench(vector.boardModel)
    for packet in vector.writes.map({ [UInt8](hex: $0) }) {
      _ = bench.write(bytes: packet)
      guard Self.configurations[packet[0]]?.contains(packet[1]) == true else { continue }
      let answer = [packet[0], 0x80 | packet[1]] + packet[2...]
      #expect(bench.write(bytes: [packet[0], 0x80 | packet[1]]).packets == [answer])
    }
  }

  @Test(arguments: VectorFile.cases("anonymous-signals").filter { $0.name != "timeout-log-sync-timeout" })
  func `A board that somebody else set up tells the same loggers and processors`(_ vector: VectorFile.Case) {
    var bench = Bench(vector.boardModel)
    let answers = vector.inject.map { [UInt8](hex: $0) }
    let loggers = answers.filter { $0[..<2] == [0x0B, 0x82] && $0.count > 2 }
    for logger in loggers { _ = bench.write(bytes: [0x0B, 0x02] + logger[2...]) }
    for (id, logger) in loggers.enumerated() {
      #expect(bench.write(bytes: [0x0B, 0x82, UInt8(id)]).packets == [logger])
    }
    #expect(bench.write(bytes: [0x0B, 0x82, UInt8(loggers.count)]).packets == [[0x0B, 0x82]])
  }
}
