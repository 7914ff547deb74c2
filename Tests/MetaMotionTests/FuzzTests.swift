import BoardKit
import FleetModel
import Foundation
import Testing

@testable import MetaMotion

/// F56: nothing a board may send makes a decoder trap. `METAFLEET_SEED` repeats a run.
struct FuzzTests {
  /// SplitMix64: small, and the same everywhere.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  private static func seed(_ test: String) -> UInt64 {
    let seed = ProcessInfo.processInfo.environment["METAFLEET_SEED"].flatMap { UInt64($0) }
    let chosen = seed ?? UInt64.random(in: 0...(.max))
    print("\(test): METAFLEET_SEED=\(chosen)")
    return chosen
  }

  /// Of every kind of board: everything it can notify at once, with and without what fusion takes over.
  private static let routes: [[PacketRoute]] = TestBoard.all.flatMap { board -> [[PacketRoute]] in
    guard let inventory = try? board.inventory() else { return [] }
    let offered = inventory.description.streams.map(\.name)
    let fusion = Set(StreamCatalogue.all.filter { $0.module == "sensor-fusion" }.map(\.name))
    return [[], fusion].map { first in
      let inOrder = offered.filter { first.contains($0) } + offered.filter { !first.contains($0) }
      let wanted = inOrder.enumerated().map { index, name in
        let keys: JSONObject = name == "magnetic-alarm" ? ["low_ut": 6] : [:]
        return (StreamKey(index), StreamRequest(name: name, configuration: keys))
      }
      return StreamSelection(
        Dictionary(uniqueKeysWithValues: wanted), button: first.isEmpty, on: inventory
      ).routes
    }
  }

  /// Gives one packet to everything that reads packets.
  private func feed(_ packet: [UInt8], _ comment: Comment) {
    for routes in Self.routes {
      let decoder = PacketDecoder(routes: routes)
      var decoded = DecodedPackets()
      let verdict = decoder.decode(packet.span.bytes, at: Timestamp(nanoseconds: .min), into: &decoded)
      let hasYielded = !decoded.readings.entries.isEmpty || !decoded.events.isEmpty
      #expect(hasYielded == (verdict == .taken), comment)
      #expect(
        decoded.readings.entries.allSatisfy { decoded.readings.values.indices.contains($0.values) }, comment)
    }
    if let info = ModuleInfo.decode(packet) {
      _ = Accelerometer(info)
      _ = Temperature(info)
      _ = PowerSupply.hasChargeStatus(info)
      _ = Gyroscope(info)
      _ = Magnetometer(info)
      _ = Barometer(info)
    }
    for channel in LEDChannel.allCases { _ = LED.pulse(from: packet, of: channel) }
    _ = LED.playback(packet)
    _ = Barometer.isSampling(packet)
    for signal in SensorModules.signals(on: .bmi160) + SensorModules.signals(on: .bmi270) {
      _ = signal.values(in: packet)
    }
    _ = SensorFusion.Configuration(payload: packet)
    _ = FusionCalibration(packet)
    for sensor in FusionCalibration.Block.Sensor.allCases {
      _ = FusionCalibration.Block(sensor, reply: packet)?.isSafe
    }
    _ = Gyroscope.Configuration(packet)
    _ = Barometer.Configuration(packet)?.period(on: .bme280)
    _ = AmbientLight.Configuration(packet)
    _ = Battery(packet)
    _ = HardwareAddress(packet)
    _ = AdvertisedName(reply: packet)
    _ = LogClock(packet)?.bootTime(arrival: Timestamp(nanoseconds: .min))
    _ = BoardReading.logLength(packet)
    _ = BoardReading.resetCause(packet)
    _ = BoardReading.stack(packet)
    _ = BoardReading.mac(packet)
    _ = InterviewMemory(packet)
  }

  @Test func `F56 random packets`() {
    let seed = Self.seed("random packets")
    var random = Generator(state: seed)
    let headers = [
      "0304", "0305", "031c", "0101", "1111", "0283", "0b84", "118b", "0308", "0309", "030a", "030b", "030c",
      "030e", "0311", "0314", "0319", "050a", "1201", "1202", "1304", "1305", "1307", "1403", "1505", "1508",
      "1509", "1904", "1907", "1909",
    ].map(bytes)
    for round in 0..<20_000 {
      let length = Int.random(in: 0...24, using: &random)
      var packet = (0..<length).map { _ in UInt8.random(in: 0...(.max), using: &random) }
      // Most random headers are of no register; half of the packets get one that is.
      if Bool.random(using: &random), let header = headers.randomElement(using: &random) {
        packet.replaceSubrange(0..<min(2, packet.count), with: header)
      }
      feed(packet, "seed \(seed), round \(round)")
    }
  }

  @Test func `F56 all truncations of all packets of the vectors`() throws {
    for vector in try VectorCase.all() {
      for packet in vector.inject + vector.writes {
        for length in 0...packet.count { feed(Array(packet.prefix(length)), "\(vector.name)") }
      }
    }
  }

  @Test func `F56 damaged records of interviews`() {
    let seed = Self.seed("damaged records")
    var random = Generator(state: seed)
    for _ in 0..<5_000 {
      var record = TestBoard.metaMotionS.memory
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        record[Int.random(in: record.indices, using: &random)] ^= UInt8.random(in: 1...(.max), using: &random)
      }
      guard let memory = InterviewMemory(record) else { continue }
      _ = try? Inventory(
        device: TestBoard.metaMotionS.device, modules: memory.replies.compactMapValues(ModuleInfo.decode)
      ).description
    }
  }

  @Test func `F33 F56 random read-outs: what is confirmed was kept, and what came is handed on once`() {
    let seed = Self.seed("random read-outs")
    var random = Generator(state: seed)
    for round in 0..<2_000 {
      var machine = LogDownloadMachine(
        LogPageCheck(announced: Int.random(in: 1...1_500, using: &random)), at: .zero)
      var now = Duration.zero
      var (kept, notices, confirmations) = (0, 0, 0)
      var (keptPages, isRefused, isOver) = (0, false, false)
      for _ in 0..<400 where !isOver {
        switch Int.random(in: 0..<40, using: &random) {
        case 0:
          machine.pageCompleted()
          notices += 1
        case 1:
          let packet = bytes("0b08") + (0..<Int.random(in: 0...5, using: &random)).map { _ in 0 }
          _ = machine.receivedProgress(packet.span.bytes)
        case 2: now += .milliseconds(Int.random(in: 0...9_000, using: &random))
        case 3 where Int.random(in: 0..<20, using: &random) == 0: machine.linkEnded()
        case 4 where Int.random(in: 0..<9, using: &random) == 0:
          let length = Int.random(in: 0...20, using: &random)
          _ = machine.receivedEntries((bytes("0b07") + Array(repeating: 7, count: length)).span.bytes)
        default: _ = machine.receivedEntries(bytes("0b07" + String(repeating: "aa", count: 18)).span.bytes)
        }
        switch machine.step(at: now) {
        case .keep(let page):
          let isKept = Int.random(in: 0..<50, using: &random) > 0
          kept += page.entries.count / LogEntry.size
          if isKept, page.endsPage { keptPages += 1 }
          if !isKept { isRefused = true }
          machine.kept(isKept, at: now)
        case .confirmPage:
          confirmations += 1
          #expect(!isRefused, "seed \(seed), round \(round)")
        case .wait(let limit): #expect(limit > .zero, "seed \(seed), round \(round)")
        case .finish(let readOut):
          isOver = true
          if readOut.end != .notKept {
            #expect(kept == machine.tally.received, "seed \(seed), round \(round)")
          }
        case .giveUp:
          isOver = true
          if !isRefused { #expect(kept == machine.tally.received, "seed \(seed), round \(round)") }
        }
        #expect(confirmations <= keptPages && keptPages <= notices, "seed \(seed), round \(round)")
      }
    }
  }

  @Test func `F56 random logs, and damaged records of how to read them`() {
    let seed = Self.seed("random logs")
    var random = Generator(state: seed)
    for round in 0..<3_000 {
      let streams = (0..<3).map { number in
        let layout = SampleLayoutRecordTests.layouts.randomElement(using: &random) ?? .numbers(.plain(1))
        var record = layout.encoded
        if Bool.random(using: &random) {
          record[Int.random(in: record.indices, using: &random)] ^= UInt8.random(
            in: 1...(.max), using: &random)
        }
        let first = Int.random(in: -1...30, using: &random)
        let slots = (0..<Int.random(in: 0...6, using: &random)).map { first + $0 }
        return LoggedStream(name: "\(number)", fields: [], slots: slots, layout: record)
      }
      let entries = (0..<Int.random(in: 0...600, using: &random)).map { place in
        place % 9 == 0
          ? UInt8.random(in: 0...9, using: &random) : UInt8.random(in: 0...(.max), using: &random)
      }
      var decoder = LogEntryDecoder(streams, rest: Array(entries.prefix(20)))
      var decoded = DecodedLog()
      decoder.decode(entries, into: &decoded)
      #expect(decoder.rest.count % LogEntry.size == 0, "seed \(seed), round \(round)")
      #expect(
        decoded.entries.allSatisfy { $0.values.upperBound <= decoded.values.count },
        "seed \(seed), round \(round)")
    }
  }
}
