import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

struct PacketDecoderTests {
  private let arrival = Timestamp(milliseconds: 1_763_671_234_000)
  private let packed = bytes("0305 62b7530de9fd 16d04d0e5702 8affa1050a01")

  private func decoder(
    isPacked: Bool,
    outputs: PacketDecoder.VectorOutputs = .init(vector: StreamKey(7))
  ) -> PacketDecoder {
    var decoder = PacketDecoder(accelerometer: Accelerometer(chip: .bmi270, revision: 0))
    decoder.acceleration = .init(isPacked: isPacked, scale: 1 / 4_096, period: 10_000_000, outputs: outputs)
    return decoder
  }

  private func decode(_ packet: [UInt8], _ decoder: PacketDecoder) -> (PacketVerdict, DecodedPackets) {
    var decoded = DecodedPackets()
    let verdict = decoder.decode(packet.span.bytes, at: arrival, into: &decoded)
    return (verdict, decoded)
  }

  @Test func aPlainPacketIsOneSample() {
    let (verdict, decoded) = decode(bytes("0304 0010 00f0 0000"), decoder(isPacked: false))
    #expect(verdict == .taken)
    #expect(decoded.readings.values == [1, -1, 0])
    #expect(decoded.readings.entries.map(\.stream) == [StreamKey(7)])
    #expect(decoded.readings.entries.map(\.time) == [arrival])
    #expect(decoded.readings.entries.map(\.values) == [0..<3])
  }

  @Test func aPackedPacketIsThreeSamplesThatEndAtItsArrival() {
    let (verdict, decoded) = decode(packed, decoder(isPacked: true))
    #expect(verdict == .taken)
    #expect(decoded.readings.values.count == 9)
    #expect(decoded.readings.values.first == -4.53857421875)
    #expect(decoded.readings.values.last == 0.06494140625)
    #expect(
      decoded.readings.entries.map(\.time)
        == [arrival - .milliseconds(20), arrival - .milliseconds(10), arrival])
  }

  @Test func theBMI160PacksIntoAnotherRegister() {
    var decoder = PacketDecoder(accelerometer: Accelerometer(chip: .bmi160, revision: 2))
    decoder.acceleration = self.decoder(isPacked: true).acceleration
    #expect(decode(packed, decoder).0 == .unwanted)
    #expect(decode(bytes("031c") + packed.dropFirst(2), decoder).0 == .taken)
  }

  @Test func componentsAreProjectedByTheHost() {
    let outputs = PacketDecoder.VectorOutputs(vector: StreamKey(1), y: StreamKey(0), z: StreamKey(2))
    let (_, decoded) = decode(bytes("0304 0010 00f0 0008"), decoder(isPacked: false, outputs: outputs))
    #expect(decoded.readings.entries.map(\.stream.index) == [1, 0, 2])
    #expect(decoded.readings.values == [1, -1, 0.5, -1, 0.5])
  }

  @Test func theButtonIsAnEventAndTheSwitchAStream() {
    var decoder = PacketDecoder(accelerometer: nil)
    decoder.reportsButton = true
    let (verdict, pressed) = decode(bytes("010101"), decoder)
    #expect(verdict == .taken)
    #expect(pressed.readings.entries.isEmpty)
    #expect(pressed.events.map(\.event) == [.button(isPressed: true)])
    #expect(pressed.events.map(\.time) == [arrival])
    decoder.switchStream = StreamKey(3)
    let (_, released) = decode(bytes("010100"), decoder)
    #expect(released.events.map(\.event) == [.button(isPressed: false)])
    #expect(released.readings.values == [0])
  }

  @Test func powerStatesAreStreams() {
    var decoder = PacketDecoder(accelerometer: nil)
    decoder.chargeStream = StreamKey(3)
    #expect(decode(bytes("111201"), decoder).1.readings.values == [1])
    #expect(decode(bytes("111101"), decoder).0 == .unwanted)
  }

  @Test(
    "F55 well-formed packets that nobody wants are told apart",
    arguments: [
      "010101", "0304000000000000", "111101", "13050102", "1403ed92b000", "118c633410", "0382", "fe8b",
      "038403",
    ])
  func unwanted(hex: String) {
    let (verdict, decoded) = decode(bytes(hex), PacketDecoder(accelerometer: nil))
    #expect(verdict == .unwanted)
    #expect(decoded.readings.entries.isEmpty)
  }

  @Test func theOtherRegisterOfTheSameChipIsUnwanted() {
    #expect(decode(packed, decoder(isPacked: false)).0 == .unwanted)
    #expect(decode(bytes("0304 0010 00f0 0000"), decoder(isPacked: true)).0 == .unwanted)
  }

  @Test(
    "F25, F56 empty, truncated and foreign packets are malformed",
    arguments: ["", "03", "0304", "03040010 00f000", "0305", "0101", "1111", "1112", "7701", "0001"])
  func malformed(hex: String) {
    for isPacked in [true, false] {
      let (verdict, decoded) = decode(bytes(hex), decoder(isPacked: isPacked))
      #expect(verdict == .malformed)
      #expect(decoded.readings.entries.isEmpty)
    }
  }

  @Test func buffersAreAppendedTo() {
    var decoded = DecodedPackets()
    let decoder = decoder(isPacked: false)
    for _ in 0..<3 {
      _ = decoder.decode(bytes("0304 0010 00f0 0000").span.bytes, at: arrival, into: &decoded)
    }
    #expect(decoded.readings.entries.map(\.values) == [0..<3, 3..<6, 6..<9])
  }
}
