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

  private static let decoders: [PacketDecoder] = [
    Accelerometer(chip: .bmi160, revision: 2), Accelerometer(chip: .bmi270, revision: 0), nil,
  ].flatMap { accelerometer in
    [true, false].map { isPacked in
      var decoder = PacketDecoder(accelerometer: accelerometer)
      decoder.acceleration = .init(
        isPacked: isPacked, scale: 1 / 2_048, period: .max,
        outputs: .init(vector: StreamKey(0), z: StreamKey(1)))
      decoder.powerStream = StreamKey(2)
      decoder.reportsButton = isPacked
      return decoder
    }
  }

  /// Gives one packet to everything that reads packets.
  private func feed(_ packet: [UInt8], _ comment: Comment) {
    for decoder in Self.decoders {
      var decoded = DecodedPackets()
      let verdict = decoder.decode(packet.span.bytes, at: Timestamp(nanoseconds: .min), into: &decoded)
      let hasYielded = !decoded.readings.entries.isEmpty || !decoded.events.isEmpty
      #expect(hasYielded == (verdict == .taken), comment)
      #expect(
        decoded.readings.entries.allSatisfy { decoded.readings.values.indices.contains($0.values) }, comment)
      #expect(decoded.readings.values.allSatisfy { abs($0) <= 16 }, comment)
    }
    if let info = ModuleInfo.decode(packet) {
      _ = Accelerometer(info)
      _ = Temperature(info)
      _ = PowerSupply.hasChargeStatus(info)
    }
    for channel in LEDChannel.allCases { _ = LED.pulse(from: packet, of: channel) }
    _ = LED.playback(packet)
    _ = Accelerometer.isSampling(packet)
    _ = Barometer.isSampling(packet)
    _ = Temperature.celsius(packet)
    _ = Switch.isPressed(packet)
    _ = Battery(packet)
    _ = PowerSupply.flag(packet)
    _ = HardwareAddress(packet)
    _ = AdvertisedName(reply: packet)
    _ = LogClock(packet)?.bootTime(arrival: Timestamp(nanoseconds: .min))
    _ = BoardReading.logLength(packet)
    _ = BoardReading.resetCause(packet)
    _ = BoardReading.stack(packet)
    _ = BoardReading.mac(packet)
    _ = InterviewMemory(packet)
  }

  @Test("F56 random packets")
  func randomPackets() {
    let seed = Self.seed("random packets")
    var random = Generator(state: seed)
    let headers = ["0304", "0305", "031c", "0101", "1111", "0283", "0b84", "118b"].map(bytes)
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

  @Test("F56 all truncations of all packets of the vectors")
  func truncations() throws {
    for vector in try VectorCase.all() {
      for packet in vector.inject + vector.writes {
        for length in 0...packet.count { feed(Array(packet.prefix(length)), "\(vector.name)") }
      }
    }
  }

  @Test("F56 damaged records of interviews")
  func memory() {
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
}
