/// `i2c-read`, `i2c-write`, `spi-read` and `spi-write` (MQTT contract 3.9). Streams that read a bus take the same keys.
enum BusVerbs {
  static let target = [
    Parameter("device", .integer(0...127), required: true, "address of the device, seven bits"),
    Parameter("register", .integer(0...255), required: true, "register of the device"),
  ]

  static let readI2C = VerbDefinition(
    "i2c-read", .board, "Reads a register of a device on the I2C bus.",
    target + [Parameter("length", .integer(1...17), required: true, "bytes to read")],
    checked: { (arguments: JSONObject) throws(CommandFailure) in .device(.bus(i2cReading(arguments))) }
  )
  .answering(
    [Parameter("hex", .bytes(0...20), required: true, "what was read")], by: [.response],
    failing: [.unsupported, .boardError], example: ["device": 28, "register": 13, "length": 1])

  static let writeI2C = VerbDefinition(
    "i2c-write", .board, "Writes a register of a device on the I2C bus.",
    target + [Parameter("hex", .bytes(1...10), required: true, "what to write")],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .device(
        .bus(
          .writeI2C(
            device: byte(arguments["device"]), register: byte(arguments["register"]),
            bytes(arguments["hex"]))))
    }
  )
  .answering(by: [.linkWrite], failing: [.unsupported], example: ["device": 28, "register": 42, "hex": "01"])

  static let link = [
    Parameter(
      "pins",
      .object(
        ["ss", "sck", "mosi", "miso"].map {
          Parameter($0, .integer(0...255), required: true, "number of the processor's pin")
        }), required: true, "which pins"),
    Parameter("mode", .integer(0...3), standard: 3, "SPI mode"),
    Parameter(
      "clock_hz", .offered(BusCommand.SPI.clocks.map(Double.init)), standard: 1_000_000, "clock rate"),
    Parameter("lsb_first", .boolean, standard: false, "whether the lowest bit goes first"),
    Parameter("native", .boolean, standard: true, "whether the processor's own SPI pins are used"),
  ]

  static let sentFirst = Parameter("hex", .bytes(0...12), "what to send first")

  static let readSPI = VerbDefinition(
    "spi-read", .board, "Sends bytes to a device on the SPI bus and reads what it answers.",
    link + [Parameter("length", .integer(1...16), required: true, "bytes to read"), sentFirst],
    checked: { (arguments: JSONObject) throws(CommandFailure) in .device(.bus(spiReading(arguments))) }
  )
  .answering(
    [Parameter("hex", .bytes(0...20), required: true, "what was read")], by: [.response],
    failing: [.unsupported, .boardError],
    example: [
      "pins": ["ss": 10, "sck": 0, "mosi": 11, "miso": 7], "length": 5, "hex": "da", "mode": 3,
      "clock_hz": 8_000_000,
    ])

  static let writeSPI = VerbDefinition(
    "spi-write", .board, "Sends bytes to a device on the SPI bus.",
    link + [Parameter("hex", .bytes(1...13), required: true, "what to send")],
    checked: { (arguments: JSONObject) throws(CommandFailure) in
      .device(.bus(.writeSPI(spi(arguments), bytes(arguments["hex"]))))
    }
  )
  .answering(
    by: [.linkWrite], failing: [.unsupported],
    example: ["pins": ["ss": 10, "sck": 0, "mosi": 11, "miso": 7], "hex": "2001"])

  /// The read that checked arguments mean.
  static func i2cReading(_ arguments: JSONObject) -> BusCommand {
    .readI2C(
      device: byte(arguments["device"]), register: byte(arguments["register"]),
      length: byte(arguments["length"]))
  }

  /// The read that checked arguments mean.
  static func spiReading(_ arguments: JSONObject) -> BusCommand {
    .readSPI(spi(arguments), length: byte(arguments["length"]), sending: bytes(arguments["hex"]))
  }

  private static func spi(_ arguments: JSONObject) -> BusCommand.SPI {
    let pins = arguments["pins"]?.object ?? [:]
    let clock = arguments["clock_hz"]?.integer.flatMap { Int(exactly: $0) } ?? 1_000_000
    return BusCommand.SPI(
      slaveSelect: byte(pins["ss"]), clock: byte(pins["sck"]), output: byte(pins["mosi"]),
      input: byte(pins["miso"]), mode: byte(arguments["mode"]),
      clockIndex: UInt8(clamping: BusCommand.SPI.clocks.firstIndex(of: clock) ?? 3),
      isLeastSignificantFirst: arguments["lsb_first"]?.bool ?? false,
      isNative: arguments["native"]?.bool ?? true)
  }

  private static func byte(_ value: JSONValue?) -> UInt8 { UInt8(clamping: value?.integer ?? 0) }
  private static func bytes(_ value: JSONValue?) -> [UInt8] { value?.string.flatMap(Hex.bytes) ?? [] }
}
