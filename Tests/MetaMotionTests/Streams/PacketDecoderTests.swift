import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

struct PacketDecoderTests {
  private let arrival = Timestamp(nanoseconds: 1_763_671_234_567_000_000)
  private let packed = bytes("0305 62b7530de9fd 16d04d0e5702 8affa1050a01")

  /// The decoder of a board that streams these, at 8 g and 100 Hz where it is acceleration.
  private func decoder(
    _ streams: [(key: Int, name: String)], packed: String = "off", button: Bool = false,
    on board: TestBoard = .metaMotionS
  ) throws -> PacketDecoder {
    let acceleration: JSONObject = ["rate_hz": 100, "range_g": 8, "packed": .string(packed)]
    let wanted = streams.map { key, name in
      let isAcceleration = name.hasPrefix("acceleration")
      return (
        StreamKey(key), StreamRequest(name: name, configuration: isAcceleration ? acceleration : [:])
      )
    }
    let selection = StreamSelection(
      Dictionary(uniqueKeysWithValues: wanted), button: button, on: try board.inventory())
    #expect(selection.refused == [:])
    return PacketDecoder(routes: selection.routes)
  }

  private func decode(_ packet: [UInt8], _ decoder: borrowing PacketDecoder) -> (
    PacketVerdict, DecodedPackets
  ) {
    var decoded = DecodedPackets()
    let verdict = decoder.decode(packet.span.bytes, at: arrival, into: &decoded)
    return (verdict, decoded)
  }

  @Test func `a plain packet is one sample`() throws {
    let (verdict, decoded) = decode(bytes("0304 0010 00f0 0000"), try decoder([(7, "acceleration")]))
    #expect(verdict == .taken)
    #expect(decoded.readings.values == [1, -1, 0])
    #expect(decoded.readings.entries.map(\.stream) == [StreamKey(7)])
    #expect(decoded.readings.entries.map(\.time) == [arrival])
    #expect(decoded.readings.entries.map(\.values) == [0..<3])
  }

  @Test func `a packed packet is three samples that end at its arrival`() throws {
    let (verdict, decoded) = decode(packed, try decoder([(7, "acceleration")], packed: "on"))
    #expect(verdict == .taken)
    #expect(decoded.readings.values.count == 9)
    #expect(decoded.readings.values.first == -4.53857421875)
    #expect(decoded.readings.values.last == 0.06494140625)
    #expect(
      decoded.readings.entries.map(\.time)
        == [arrival - .milliseconds(20), arrival - .milliseconds(10), arrival])
  }

  @Test func `the BMI160 packs into another register`() throws {
    let decoder = try decoder([(7, "acceleration")], packed: "on", on: .metaMotionRL)
    #expect(decode(packed, decoder).0 == .unwanted)
    #expect(decode(bytes("031c") + packed.dropFirst(2), decoder).0 == .taken)
  }

  @Test func `components are projected by the host`() throws {
    let decoder = try decoder([(0, "acceleration-y"), (1, "acceleration"), (2, "acceleration-z")])
    let (_, decoded) = decode(bytes("0304 0010 00f0 0008"), decoder)
    #expect(decoded.readings.entries.map(\.stream.index) == [1, 0, 2])
    #expect(decoded.readings.values == [1, -1, 0.5, -1, 0.5])
  }

  @Test func `vectors of every shape, and their components`() throws {
    let quaternion = try decoder([(0, "quaternion"), (1, "quaternion-x"), (2, "quaternion-z")])
    let (_, decoded) = decode(bytes("1907 0000803f 0000003f 0000803e 000080bf"), quaternion)
    #expect(decoded.readings.values == [1, 0.5, 0.25, -1, 0.5, -1])
    let corrected = try decoder([(0, "corrected-magnetic-field"), (1, "corrected-magnetic-field-y")])
    let (_, field) = decode(bytes("1906 0000803f 0000003f 0000803e 03"), corrected)
    #expect(field.readings.values == [1, 0.5, 0.25, 3, 0.5])
    let (_, height) = decode(bytes("1202 1e1ffeff"), try decoder([(0, "altitude")]))
    #expect(height.readings.values == [-480.8828125])
  }

  @Test func `the button is an event and the switch a stream`() throws {
    let (verdict, pressed) = decode(bytes("010101"), try decoder([], button: true))
    #expect(verdict == .taken)
    #expect(pressed.readings.entries.isEmpty)
    #expect(pressed.events.map(\.event) == [.button(isPressed: true)])
    #expect(pressed.events.map(\.time) == [arrival])
    let (_, released) = decode(bytes("010100"), try decoder([(3, "switch")], button: true))
    #expect(released.events.map(\.event) == [.button(isPressed: false)])
    #expect(released.readings.values == [0])
  }

  @Test func `power states are streams and events`() throws {
    let decoder = try decoder([(3, "charge-status")])
    #expect(decode(bytes("111201"), decoder).1.readings.values == [1])
    #expect(decode(bytes("111200"), decoder).1.events.map(\.event) == [.happened(.charge, "off", [:])])
    #expect(decode(bytes("111101"), decoder).0 == .unwanted)
  }

  @Test func `one register serves all pins`() throws {
    let decoder = try decoder([(0, "gpio-0-change"), (1, "gpio-5-change")])
    let (verdict, decoded) = decode(bytes("050a 05 01"), decoder)
    #expect(verdict == .taken)
    #expect(decoded.readings.entries.map(\.stream.index) == [1])
    #expect(decoded.events.map(\.event) == [.happened(.gpio, "rising", ["pin": 5])])
    #expect(decode(bytes("050a 01 01"), decoder).0 == .unwanted)
  }

  @Test func `T25 steps and counts of steps come in one register, told apart by their length`() throws {
    let both = try decoder([(0, "steps"), (1, "step")])
    let (_, counted) = decode(bytes("030b 1400"), both)
    #expect(counted.readings.values == [20])
    #expect(counted.events.isEmpty)
    let (_, stepped) = decode(bytes("030b 01"), both)
    #expect(stepped.readings.values.isEmpty)
    #expect(stepped.events.map(\.event) == [.happened(.step, "step", ["detector": "step"])])
    #expect(decode(bytes("030b 01"), try decoder([(0, "steps")])).0 == .unwanted)
    #expect(decode(bytes("030b 1400"), try decoder([(0, "step")])).0 == .unwanted)
  }

  @Test(
    arguments: [
      "010101", "0304000000000000", "111101", "1304000000000000", "1403ed92b000", "118c633410", "0382",
      "fe8b", "038403", "050a0001", "030904",
    ])
  func `F55 well-formed packets that nobody wants are told apart`(hex: String) throws {
    let (verdict, decoded) = decode(bytes(hex), try decoder([]))
    #expect(verdict == .unwanted)
    #expect(decoded.readings.entries.isEmpty)
  }

  @Test func `the other register of the same chip is unwanted`() throws {
    #expect(decode(packed, try decoder([(7, "acceleration")])).0 == .unwanted)
    let decoder = try decoder([(7, "acceleration")], packed: "on")
    #expect(decode(bytes("0304 0010 00f0 0000"), decoder).0 == .unwanted)
  }

  @Test(
    arguments: [
      "", "03", "0304", "03040010 00f000", "0305", "0101", "1111", "1112", "7701", "0001", "13050102",
      "1907 0000803f", "1906 0000803f 0000003f 0000803e",
    ])
  func `F25, F56 empty, truncated and foreign packets are malformed`(hex: String) throws {
    for packed in ["on", "off"] {
      let (verdict, decoded) = decode(bytes(hex), try decoder([(7, "acceleration")], packed: packed))
      #expect(verdict == .malformed)
      #expect(decoded.readings.entries.isEmpty)
    }
  }

  @Test func `buffers are appended to`() throws {
    var decoded = DecodedPackets()
    let decoder = try decoder([(7, "acceleration")])
    for _ in 0..<3 {
      _ = decoder.decode(bytes("0304 0010 00f0 0000").span.bytes, at: arrival, into: &decoded)
    }
    #expect(decoded.readings.entries.map(\.values) == [0..<3, 3..<6, 6..<9])
  }
}
