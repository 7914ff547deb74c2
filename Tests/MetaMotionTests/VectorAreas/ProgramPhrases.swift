import BoardKit
import FleetModel

@testable import MetaMotion

/// Processors, timers, events, macros and loggers: what the vectors number as objects.
struct ProgramPhrases: VectorArea {
  /// Something on the board with a number of its own.
  enum Object {
    case processor(UInt8, input: SampleLayout)
    case timer(UInt8)
    case logged(Signal)
  }

  let board: Inventory
  let dialect: ProcessorDialect
  var scales: SignalScales
  var graph: ProcessorGraph
  var objects: [String: Object] = [:]
  /// Event slots by the signal that triggers them.
  var events: [(source: SignalAddress, slot: UInt8)] = []
  var timers: [UInt8] = []
  /// Where recording began among the writes, and what triggers it.
  var recording: (start: Int, source: SignalAddress)?
  /// Tokens of recorded commands, by their place among the writes.
  var tokens: [Int: DataToken] = [:]
  var macro: (start: Int, isRunAtBoot: Bool)?
  var recovery: SignalRecovery?
  /// What the log holds, and what reads it.
  var logged: [LoggedStream] = []
  var decoder: LogEntryDecoder?

  init(on board: Inventory) {
    self.board = board
    dialect = board.processorDialect
    scales = SignalScales()
    graph = ProcessorGraph(chip: board.accelerometer?.chip)
  }

  mutating func perform(_ phrase: String, on stage: inout VectorStage) throws -> Bool {
    if let match = phrase.wholeMatch(of: #/(?:request accel range nearest|set accel range ±)\s?([\d.]+) g/#) {
      scales[Accelerometer.range] = Double(match.1) ?? 2
      graph.scales = scales
      return true
    }
    // "create … => #1": what is done, and the number of what comes of it.
    let parts = phrase.split(separator: " => #").map(String.init)
    let number = parts.count > 1 ? parts[1] : ""
    if try create(parts[0], number, on: &stage) { return true }
    if try change(parts[0], on: &stage) { return true }
    if try performTimer(parts[0], number, on: &stage) { return true }
    if try record(parts[0], on: &stage) { return true }
    return try performLogger(parts[0], number, on: &stage)
  }

  /// The signal that a phrase names.
  func signal(_ words: String) throws -> Signal {
    func root(_ name: String, _ index: Substring? = nil) throws -> Signal {
      let found = SensorModules.signal(named: name, on: board.accelerometer?.chip)
      return try NotUnderstood.unless(found).signal(index: index.flatMap { UInt8($0) }, scales)
    }
    if let match = words.wholeMatch(of: #/object #(\d+)/#) {
      switch try NotUnderstood.unless(objects[String(match.1)]) {
      case .processor(let slot, _):
        let address = SignalAddress.output(ofProcessor: slot)
        return Signal(address: address, layout: try NotUnderstood.unless(graph.layout(at: address)))
      case .timer(let slot): return Signal(address: BoardTimer.signal(slot), layout: .numbers(.plain(1)))
      case .logged(let signal): return signal
      }
    }
    if let match = words.wholeMatch(of: #/(.+) axis ([xyz])/#) {
      let axis = ["x", "y", "z"].firstIndex(of: String(match.2)) ?? 0
      return try NotUnderstood.unless(signal(String(match.1)).component(axis))
    }
    if let match = words.wholeMatch(of: #/temperature channel (\d)/#) {
      return try root("temperature", match.1)
    }
    if let match = words.wholeMatch(of: #/GPIO pin (\d+) analog \(ADC\)/#) { return try root("adc", match.1) }
    if let match = words.wholeMatch(of: #/GPIO pin (\d+) analog \(absolute reference voltage\)/#) {
      return try root("abs-ref", match.1)
    }
    switch words {
    case "switch state": return try root("switch")
    case "acceleration", "pressure": return try root(words)
    case "angular velocity (BMI160)", "angular velocity (BMI270)": return try root("angular-velocity")
    case "fusion quaternion": return try root("quaternion")
    case "disconnect event":
      return Signal(address: SignalAddress(RadioSettings.disconnection), layout: .numbers(.plain(1)))
    default: throw NotUnderstood(description: "no signal: \(words)")
    }
  }

  func slot(_ words: Substring) throws -> (slot: UInt8, input: SampleLayout) {
    guard case .processor(let slot, let input)? = objects[String(words)] else {
      throw NotUnderstood(description: "no processor: \(words)")
    }
    return (slot, input)
  }

  mutating func hear(_ packet: [UInt8]) throws -> [Heard]? {
    switch packet.prefix(2) {
    case [0x09, 0x02], [0x0A, 0x02], [0x0C, 0x02], [0x0F, 0x02]: return []
    case [0x09, 0x03]:
      let slot = try NotUnderstood.unless(packet.number(at: 2, as: UInt8.self))
      let layout = try NotUnderstood.unless(graph.layout(at: .output(ofProcessor: slot)))
      let samples = try NotUnderstood.unless(layout.samples(in: Array(packet.dropFirst(3))))
      return samples.map { .value(Self.json(layout, $0)) }
    case [0x0B, 0x07] where !logged.isEmpty: return try hearLog(packet)
    default: return recovery == nil && logged.isEmpty ? nil : []
    }
  }

  /// A sample as the vectors write it.
  static func json(_ layout: SampleLayout, _ sample: SampleLayout.Sample) -> JSONValue {
    var values = sample.values[...]
    return json(layout, &values)
  }

  private static func json(_ layout: SampleLayout, _ values: inout ArraySlice<Double>) -> JSONValue {
    switch layout {
    case .prefixed(_, let inner), .packed(_, let inner): return json(inner, &values)
    case .record(let parts): return .array(parts.map { json($0, &values) })
    case .numbers(let numbers):
      let own = values.prefix(numbers.channels).map { JSONValue.number($0) }
      values = values.dropFirst(numbers.channels)
      return own.count == 1 ? own[0] : .object(JSONObject(Array(zip(["x", "y", "z"], own))))
    }
  }
}
