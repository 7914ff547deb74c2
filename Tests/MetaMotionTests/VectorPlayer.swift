import BoardKit
import FleetModel

@testable import MetaMotion

/// Does with our codecs what a vector case tells in words, and says what it wrote and heard.
struct VectorPlayer {
  /// The case speaks of something this player does not know.
  struct NotUnderstood: Error, CustomStringConvertible {
    let description: String
  }

  /// One value that came out of a packet.
  enum Heard: Hashable {
    case number(Double)
    case vector([Double])
    case text(String)
    case battery(percent: Double, millivolts: Double)
    /// Nobody wanted the packet.
    case unwanted
  }

  private(set) var writes: [[UInt8]] = []
  /// What was chosen or found out on the way, under the vectors' own keys.
  private(set) var findings: JSONObject = [:]

  private let inventory: Inventory
  private var configuration: AccelerationConfiguration
  private var decoder: PacketDecoder
  private var isPacked = false
  private var pulse = LEDPattern.solid.pulse

  init(_ vector: VectorCase) throws {
    inventory = try Inventory(
      device: DeviceInformation(
        firmwareRevision: Array(vector.firmware.utf8), modelNumber: Array(vector.model.utf8),
        hardwareRevision: [], manufacturer: [], serialNumber: []),
      modules: vector.replies.compactMapValues(ModuleInfo.decode))
    // What the chips start with: 100 Hz, 2 g on the BMI160 and 8 g on the BMI270.
    configuration = AccelerationConfiguration(
      rate: AccelerationRate(index: 7), range: inventory.accelerometer?.chip == .bmi270 ? .g8 : .g2)
    decoder = PacketDecoder(accelerometer: inventory.accelerometer)
  }

  private var accelerometer: Accelerometer {
    get throws {
      guard let accelerometer = inventory.accelerometer else { throw NotUnderstood(description: "no chip") }
      return accelerometer
    }
  }

  /// Carries out one phrase of a case.
  mutating func perform(_ phrase: String) throws {
    if let match = phrase.wholeMatch(of: #/set accel ODR (.+) Hz/#) {
      configuration.rate = try rate(Double(match.1), nearest: false)
    } else if let match = phrase.wholeMatch(of: #/request accel ODR nearest (.+) Hz/#) {
      configuration.rate = try rate(Double(match.1), nearest: true)
      findings["applied_odr_hz"] = .number(configuration.rate.hertz)
    } else if let match = phrase.wholeMatch(of: #/set accel range ±(\d+) g/#) {
      configuration.range = try range(Double(match.1), nearest: false)
    } else if let match = phrase.wholeMatch(of: #/request accel range nearest (.+) g/#) {
      configuration.range = try range(Double(match.1), nearest: true)
      findings["applied_range_g"] = .number(Double(configuration.range.rawValue))
    } else if let match = phrase.wholeMatch(of: #/(un)?subscribe (?:to|from) (.+)/#) {
      try subscribe(to: String(match.2), isOn: match.1 == nil)
    } else if let match = phrase.wholeMatch(of: #/load LED preset (\w+) \(delay (\d+) ms, repeat (\d+)\)/#) {
      pulse = (LEDPattern(rawValue: match.1 == "pulse" ? "breathe" : String(match.1)) ?? .flash).pulse
      pulse.delay = UInt16(match.2) ?? 0
      pulse.repetitions = UInt8(match.3) ?? 0
    } else if let match = phrase.wholeMatch(of: #/program LED (\w+): .*/#) {
      guard let channel = LEDChannel(rawValue: String(match.1)) else { throw unknown(phrase) }
      writes.append(LED.program(channel, pulse, revision: inventory.revision(of: .led) ?? 0))
    } else if let match = phrase.wholeMatch(of: #/set device name "(.+)"/#) {
      guard let name = AdvertisedName(String(match.1)) else { throw unknown(phrase) }
      writes.append(name.command)
    } else if let match = phrase.wholeMatch(of: #/run buzzer for (\d+) ms/#) {
      writes.append(Haptic.buzzer(milliseconds: UInt16(match.1) ?? 0))
    } else if let match = phrase.wholeMatch(of: #/get temperature source of channel (\d)/#) {
      let source = inventory.temperature?.sources[Int(match.1) ?? 0]
      findings["temperature_sources"] = .array([
        .string(
          source == .thermistor ? "preset thermistor" : source == .external ? "external thermistor" : "?")
      ])
    } else if let match = phrase.wholeMatch(of: #/read temperature channel (\d)/#) {
      // The vendor's host reads silently unless somebody subscribed in the same breath.
      let channel = UInt8(match.1) ?? 0
      let isLoud = findings["subscribed"] != nil
      writes.append(isLoud ? Temperature.value.read(channel) : Temperature.value.silentRead(channel))
    } else if phrase
      == "configure external thermistor on channel 2: data pin 0, pull-down pin 1, active high 0"
    {
      let thermistor = Temperature.Thermistor(dataPin: 0, pulldownPin: 1, isActiveHigh: false)
      writes.append(Temperature.configure(thermistor, channel: 2))
    } else {
      try performWord(phrase)
    }
  }

  private mutating func performWord(_ phrase: String) throws {
    switch phrase {
    case "write accel config": writes.append(try accelerometer.configure(configuration))
    case "enable acceleration sampling": writes.append(Accelerometer.startSampling)
    case "disable acceleration sampling": writes.append(Accelerometer.stopSampling)
    case "LED pause": writes.append(LED.pause)
    case "LED play": writes.append(LED.play)
    case "enable power save on reset": writes.append(Debug.powerSave)
    case "soft reset": writes.append(Debug.reset)
    case "reset after garbage collection": writes.append(Debug.resetWhenDisconnected)
    case "read scheduler queue usage": writes.append(Debug.queueUsage.read())
    case "set stack overflow assertion off": writes.append(Debug.assertStackOverflow(false))
    case "set stack overflow assertion on": writes.append(Debug.assertStackOverflow(true))
    case "read key register": writes.append(Debug.key.read())
    case "read device name": writes.append(AdvertisedName.register.read())
    case "MAC read reply without address type": writes.append(HardwareAddress.register.read())
    case "read battery state": writes.append(Battery.state.read())
    case "read power status": writes.append(PowerSupply.powerStatus.read())
    case "read charge status with a subscriber": writes.append(PowerSupply.chargeStatus.read())
    case "get number of temperature channels":
      findings["num_channels"] = .integer(Int64(inventory.temperature?.sources.count ?? 0))
    case "model string \"5\" with the given modules", "model string \"8\"":
      findings["model_name"] = .string(inventory.model.rawValue)
    case "charge status read reply", "deliver the notification with nothing subscribed",
      "parse a module-info reply":
      break
    default: throw unknown(phrase)
    }
  }

  private mutating func subscribe(to signal: String, isOn: Bool) throws {
    let register: Register
    switch signal {
    case "acceleration": register = Accelerometer.data
    case "packed acceleration (3 samples)":
      register = try accelerometer.packedData ?? Accelerometer.data
      isPacked = true
    case "switch state": register = Switch.state
    case "power status": register = PowerSupply.powerStatus
    case "charge status": register = PowerSupply.chargeStatus
    case "MAC address", "battery state", "battery component 1 (charge)":
      return
    default:
      guard signal.hasPrefix("temperature channel") else { throw unknown(signal) }
      findings["subscribed"] = true
      return
    }
    (decoder.switchStream, decoder.powerStream, decoder.chargeStream) = (nil, nil, nil)
    switch register {
    case PowerSupply.powerStatus: decoder.powerStream = StreamKey(0)
    case PowerSupply.chargeStatus: decoder.chargeStream = StreamKey(0)
    default: decoder.switchStream = StreamKey(0)
    }
    writes.append(isOn ? register.subscribe : register.unsubscribe)
  }

  /// What our codecs make of a packet from the board.
  mutating func hear(_ packet: [UInt8]) throws -> [Heard] {
    switch packet.prefix(2) {
    case [0x04, 0x81]: return try [.number(found(Temperature.celsius(packet)))]
    case [0x11, 0x81]: return try [.text(found(AdvertisedName(reply: packet)).text)]
    case [0x11, 0x8B]: return try [.text(found(HardwareAddress(packet)).address.colonSeparated)]
    case [0x11, 0x8C]:
      let battery = try found(Battery(packet))
      return [.battery(percent: Double(battery.percent), millivolts: Double(battery.millivolts))]
    case [0x11, 0x91], [0x11, 0x92]: return try [.number(found(PowerSupply.flag(packet)) ? 1 : 0)]
    case [0xFE, 0x84]: return try [.number(Double(found(packet.number(at: 2, as: UInt32.self))))]
    case [0xFE, 0x8A]: return try [.text(found(BoardReading.hex(packet)?["hex"]?.string))]
    default: return notification(packet)
    }
  }

  private mutating func notification(_ packet: [UInt8]) -> [Heard] {
    decoder.acceleration = .init(
      isPacked: isPacked, scale: 1 / configuration.range.countsPerG, period: 10_000_000,
      outputs: .init(vector: StreamKey(0)))
    var decoded = DecodedPackets()
    let verdict = decoder.decode(packet.span.bytes, at: Timestamp(nanoseconds: 0), into: &decoded)
    if verdict == .unwanted { return [.unwanted] }
    return decoded.readings.entries.map { entry in
      let values = Array(decoded.readings.values[entry.values])
      return values.count == 1 ? .number(values[0]) : .vector(values)
    }
  }

  private func rate(_ hertz: Double?, nearest: Bool) throws -> AccelerationRate {
    let chosen = try choose("rate_hz", hertz, nearest)
    return try found(AccelerationConfiguration(rateHz: chosen, rangeG: 2)).rate
  }

  private func range(_ g: Double?, nearest: Bool) throws -> AccelerationRange {
    let chosen = try choose("range_g", g, nearest)
    return try found(AccelerationConfiguration(rateHz: 50, rangeG: chosen)).range
  }

  /// The product's own rule for values off the list.
  private func choose(_ key: String, _ value: Double?, _ nearest: Bool) throws -> Double {
    let definition = try found(StreamCatalogue.find("acceleration")).stream
    let valid = try definition.configure([key: .number(found(value))], acceptNearest: nearest)
    return try found(valid.values[key]?.number)
  }

  private func found<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw NotUnderstood(description: "a packet or value could not be read") }
    return value
  }

  private func unknown(_ phrase: String) -> NotUnderstood {
    NotUnderstood(description: "the player does not know: \(phrase)")
  }
}
