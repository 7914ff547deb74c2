import FleetModel
import Testing

/// MQTT contract 3.2 and 3.9: haptic, pins, buses, beacon.
@Suite struct OutputVerbsTests {
  private static let spi = BusCommand.SPI(
    slaveSelect: 10, clock: 0, output: 11, input: 7, mode: 3, clockIndex: 6, isLeastSignificantFirst: false,
    isNative: true)
  private static let pins: JSONValue = ["ss": 10, "sck": 0, "mosi": 11, "miso": 7]

  private static let understood: [(verb: String, arguments: JSONObject, intent: Intent)] = [
    ("haptic", [:], .device(.haptic(HapticCommand(.motor(percent: 100), milliseconds: 500)))),
    (
      "haptic", ["kind": "motor", "duty_pct": 50, "pulse_ms": 5_000],
      .device(.haptic(HapticCommand(.motor(percent: 50), milliseconds: 5_000)))
    ),
    ("haptic", ["kind": "buzzer"], .device(.haptic(HapticCommand(.buzzer, milliseconds: 500)))),
    (
      "gpio", ["pin": 1, "pull": "up", "change": "any"],
      .device(.pin(PinCommand(pin: 1, pull: .up, change: .any)))
    ),
    ("gpio", ["pin": 0, "output": "low"], .device(.pin(PinCommand(pin: 0, isHigh: false)))),
    (
      "i2c-read", ["device": 28, "register": 13, "length": 1],
      .device(.bus(.readI2C(device: 28, register: 13, length: 1)))
    ),
    (
      "i2c-write", ["device": 28, "register": 42, "hex": "DE AD"],
      .device(.bus(.writeI2C(device: 28, register: 42, [0xDE, 0xAD])))
    ),
    (
      "spi-read", ["pins": pins, "length": 5, "hex": "da", "mode": 3, "clock_hz": 8_000_000],
      .device(.bus(.readSPI(spi, length: 5, sending: [0xDA])))
    ),
    (
      "spi-write", ["pins": pins, "hex": "2001", "clock_hz": 8_000_000],
      .device(.bus(.writeSPI(spi, [0x20, 0x01])))
    ),
    (
      "ibeacon", ["uuid": "326a9006-85cb-9195-d9dd-464cfbbae75a", "major": 78, "minor": 1],
      .device(
        .beacon(
          BeaconCommand(
            isEnabled: true, uuid: Hex.bytes("326a900685cb9195d9dd464cfbbae75a"), major: 78, minor: 1,
            receivedPower: -55, transmittedPower: 0, periodMilliseconds: 700)))
    ),
    (
      "ibeacon", ["enabled": false],
      .device(
        .beacon(
          BeaconCommand(isEnabled: false, receivedPower: -55, transmittedPower: 0, periodMilliseconds: 700)))
    ),
  ]

  @Test(arguments: understood.indices)
  func `understands`(index: Int) throws {
    let (verb, arguments, wanted) = Self.understood[index]
    #expect(try intent(verb, arguments) == wanted)
  }

  private static let refused: [(verb: String, arguments: JSONObject, word: String)] = [
    ("haptic", ["kind": "buzzer", "duty_pct": 50], "duty_pct"), ("haptic", ["pulse_ms": 0], "pulse_ms"),
    ("haptic", ["duty_pct": 101], "duty_pct"), ("gpio", ["output": "low"], "pin"),
    ("gpio", ["pin": 1], "output"),
    ("gpio", ["pin": 1, "pull": "sideways"], "pull"),
    ("i2c-read", ["device": 128, "register": 0, "length": 1], "device"),
    ("i2c-read", ["device": 1, "register": 0, "length": 18], "length"),
    ("i2c-write", ["device": 1, "register": 0, "hex": "0"], "hex"),
    ("i2c-write", ["device": 1, "register": 0, "hex": ""], "hex"),
    ("i2c-write", ["device": 1, "register": 0, "hex": "0102030405060708090a0b"], "hex"),
    ("spi-read", ["pins": ["ss": 1], "length": 1], "sck"),
    ("spi-read", ["pins": pins, "length": 1, "clock_hz": 3_000_000], "clock_hz"),
    ("spi-write", ["pins": pins], "hex"),
    ("ibeacon", ["uuid": "326a9006-85cb-9195-d9dd464cfbbae75a"], "uuid"),
    ("ibeacon", ["uuid": "326a900685cb9195d9dd464cfbbae75z"], "uuid"),
    ("ibeacon", ["major": 65_536], "major"),
    ("ibeacon", ["period_ms": 99], "period_ms"),
  ]

  @Test(arguments: refused.indices)
  func `refuses`(index: Int) throws {
    let (verb, arguments, word) = Self.refused[index]
    let refusal = try #require(try refusal(verb, arguments))
    #expect(refusal.code == .invalid)
    #expect(refusal.message.contains(word), "\(refusal.message)")
  }
}
