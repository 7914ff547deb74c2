import Testing

@testable import FleetModel

/// Registers of devices on the buses, as streams with names that somebody chose (MQTT contract 2.2).
@Suite struct BusStreamsTests {
  private static let pins: JSONValue = ["ss": 10, "sck": 0, "mosi": 11, "miso": 7]

  @Test(
    arguments: [
      ("i2c-tank", "tank_raw", ["device", "register", "length", "format", "big_endian"]),
      ("i2c-who-am-i", "who_am_i_raw", ["device", "register", "length", "format", "big_endian"]),
      (
        "spi-x2", "x2_raw",
        [
          "pins", "mode", "clock_hz", "lsb_first", "native", "length", "hex", "format", "big_endian",
        ]
      ),
    ])
  func `are streams that are read and logged`(name: String, field: String, keys: [String]) throws {
    let (stream, component) = try #require(StreamCatalogue.find(name))
    #expect(stream.name == name && component == nil)
    #expect(stream.fields.map(\.name) == [field])
    #expect(stream.fields.allSatisfy { $0.kind == .integer && $0.unit.isEmpty })
    #expect(stream.isReadable && stream.isLoggable && !stream.isNotified && stream.logEntries == 1)
    #expect(stream.module == "serial")
    #expect(stream.ownParameters.map(\.name) == keys)
    #expect(stream.parameters.first { $0.name == "every" }?.standard == "60s")
  }

  @Test(arguments: [
    "i2c", "i2c-", "i2c-T", "i2c-1st", "i2c_tank", "i2c-tank_1", "i2c-a/b", "I2C-tank", "i2c-tänk", "spi-#",
    "uart-tank", "i2c-abcdefghijklmnopqrstuvwxyz0123456",
  ])
  func `have names of board things`(name: String) { #expect(StreamCatalogue.find(name) == nil) }

  @Test func `say which register, and of how many bytes`() throws {
    let stream = try #require(StreamCatalogue.find("i2c-tank")).stream
    let whole: JSONObject = ["device": 28, "register": 13, "length": 2]
    let valid = try stream.configure(whole).values
    #expect(valid["format"] == "u" && valid["big_endian"] == true)
    for key in whole.keys {
      var keys = whole
      keys[key] = nil
      let failure = #expect(throws: CommandFailure.self) { try stream.configure(keys) }
      #expect(failure?.code == .invalid && failure?.message.contains(key) == true)
      #expect(BusStreams.reading("i2c-tank", keys) == nil)
    }
    let wrong: [(String, JSONValue)] = [("length", 5), ("length", 0), ("device", 128), ("register", 256)]
    for (key, value) in wrong {
      var keys = whole
      keys[key] = value
      #expect(throws: CommandFailure.self) { try stream.configure(keys) }
    }
  }

  @Test func `what has a default may be left out`() throws {
    let two = try #require(BusStreams.reading("i2c-tank", ["device": 28, "register": 13, "length": 2]))
    #expect(two.command == .readI2C(device: 28, register: 13, length: 2))
    #expect(two.length == 2 && !two.isSigned && two.isBigEndian)
    let keys: JSONObject = [
      "device": 28, "register": 13, "length": 3, "format": "i", "big_endian": false,
    ]
    let three = try #require(BusStreams.reading("i2c-tank", keys))
    #expect(three.length == 3 && three.isSigned && !three.isBigEndian)
    // One byte has no order.
    let one = BusStreams.reading("i2c-tank", ["device": 1, "register": 2, "length": 1])
    #expect(one?.isBigEndian == false)
    let spi = try #require(BusStreams.reading("spi-tank", ["pins": Self.pins, "length": 4, "hex": "da"]))
    let link = BusCommand.SPI(
      slaveSelect: 10, clock: 0, output: 11, input: 7, mode: 3, clockIndex: 3, isLeastSignificantFirst: false,
      isNative: true)
    #expect(spi.command == .readSPI(link, length: 4, sending: [0xDA]))
    #expect(BusStreams.reading("spi-tank", ["length": 4]) == nil)
    #expect(BusStreams.reading("acceleration", [:]) == nil)
  }

  @Test func `one name is one register, streamed and logged`() throws {
    let stream = try #require(StreamCatalogue.find("i2c-tank")).stream
    func request(_ register: JSONValue, _ use: StreamUse) throws -> StreamRequest {
      let keys: JSONObject = ["device": 28, "register": register, "length": 1, "every": "1s"]
      return StreamRequest(name: "i2c-tank", configuration: try stream.configure(keys, for: use).values)
    }
    #expect(try request(13, .stream).conflict(with: request(13, .log)) == nil)
    let conflict = try request(13, .stream).conflict(with: request(14, .log))
    #expect(conflict?.code == .invalid && conflict?.message.contains("another register") == true)
  }

  @Test func `no chain has the name of one`() {
    let failure = #expect(throws: CommandFailure.self) {
      try VerbCatalogue.find("processor-create", for: .board)?.interpret([
        "name": "i2c-tank", "from": "switch", "chain": ["counter"],
      ])
    }
    #expect(failure?.code == .invalid)
  }

  @Test func `chains take the keys of their source`() throws {
    let keys: JSONObject = [
      "from": "i2c-tank", "every": "1s", "device": 28, "register": 13, "length": 1, "chain": ["counter"],
    ]
    #expect(try Chain.parse(keys).configuration == ["device": 28, "register": 13, "length": 1])
    var short = keys
    short["device"] = nil
    let failure = #expect(throws: CommandFailure.self) { try Chain.parse(short) }
    #expect(failure?.message.contains("device") == true)
  }
}
