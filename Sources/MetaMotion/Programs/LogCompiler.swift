import FleetModel

/// Turns what is to be logged into loggers, and into reads where the board has to ask its own sensor (MQTT contract 2.1
/// to 2.5, 3.5; protocol reference, section 16.2).
struct LogCompiler: Sendable {
  /// One stream, as far as it can be known before the board has assigned slots.
  struct Planned: Sendable {
    var name: String
    var source: ChainCompiler.Source
    var fields: [StreamDefinition.Field]
    /// What was asked, or what the sensor runs with.
    var configuration: JSONObject
    var period: Duration?
    /// How often the board reads it, and by which packet.
    var poll: (every: Duration, packet: [UInt8])?
    /// What sets its sensor up to be read.
    var prepare: [[UInt8]] = []

    var layout: SampleLayout {
      switch source {
      case .signal(let signal): signal.layout
      case .processor(_, let layout): layout
      }
    }

    /// Its loggers, first bytes first.
    var keys: [ResourceKey] {
      let parts = (layout.byteCount + LoggerEntry.chunk - 1) / LoggerEntry.chunk
      return (0..<parts).map { .logger(name, $0) }
    }

    /// What the logger at `place` writes down; nil until the slot of its processor is known.
    func logger(_ place: Int, in slots: ResourceSlots) -> LoggerEntry? {
      let signal: Signal
      switch source {
      case .signal(let known): signal = known
      case .processor(let key, let layout):
        guard let slot = slots[key] else { return nil }
        signal = Signal(address: .output(ofProcessor: slot), layout: layout)
      }
      let chunks = LoggerEntry.chunks(of: signal)
      return chunks.indices.contains(place) ? chunks[place] : nil
    }

    /// What readers of the log need to know; nil until all slots are known.
    func logged(in slots: ResourceSlots) -> LoggedStream? {
      let own = keys.compactMap { slots[$0] }
      guard own.count == keys.count else { return nil }
      return LoggedStream(
        name: name, fields: fields, slots: own.map(Int.init), layout: layout.encoded,
        configuration: configuration, period: period)
    }
  }

  private let board: Inventory
  private let chains: [String: Chain]
  private let compiled: ChainCompiler
  private let streams: ConfiguredStreams
  private let busIDs: BusIDs
  /// By name.
  private(set) var planned: [Planned] = []

  /// Compiles all `logs`. Throws `invalid` or `unsupported`.
  init(
    _ logs: [String: StreamRequest], of program: BoardProgram, compiled: ChainCompiler, on board: Inventory,
    streams: ConfiguredStreams
  ) throws(CommandFailure) {
    (chains, self.compiled, self.board, self.streams) = (program.chains, compiled, board, streams)
    busIDs = try BusIDs(logs.keys, for: .loggers)
    for (name, request) in logs.sorted(by: { $0.key < $1.key }) { planned.append(try plan(name, request)) }
  }

  /// The timer that reads a stream for its loggers has a name that nobody can give.
  static func timer(of log: String) -> String { "\(log)\(suffix)" }
  private static let suffix = ".log"

  /// What the timer of that name reads; nil for one that does not read for loggers.
  static func logged(byTimer name: String) -> String? {
    name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : nil
  }

  private func plan(_ name: String, _ request: StreamRequest) throws(CommandFailure) -> Planned {
    if let chain = chains[name] { return try plan(chain, name) }
    guard let (definition, component) = StreamCatalogue.find(name) else {
      throw .invalid(
        Suggestion.missing(
          "stream or chain", name, among: StreamCatalogue.all.map(\.name) + chains.keys.sorted()))
    }
    let sources = StreamSources(on: board)
    guard definition.isLoggable || definition.outlet == .event, let index = sources.index(for: definition)
    else { throw CommandFailure(.unsupported, "this \(board.model.rawValue) cannot log \(name)") }
    let asked = try definition.configure(request.configuration).values
    if let every = asked["every"]?.string.flatMap({ DurationText.parse($0) }) {
      if let id = busIDs[name], let register = BusRegister(name, asked) {
        return Planned(
          name: name, source: .signal(register.signal(id: id)), fields: definition.fields,
          configuration: asked.withoutLanes, period: every,
          poll: (every, register.packet(id: id, by: .silentRead)))
      }
      return try plan(definition, name, component, asked, every: every, sources.all[index])
    }
    let effective = streams.logged[name]
    let configuration = effective?.configuration ?? asked
    guard let signal = signal(of: definition, name, configuration) else {
      throw CommandFailure(.unsupported, "this \(board.model.rawValue) cannot log \(name)")
    }
    return Planned(
      name: name, source: .signal(signal), fields: Self.fields(of: definition, component),
      configuration: configuration.withoutLanes, period: effective?.period)
  }

  private func plan(_ chain: Chain, _ name: String) throws(CommandFailure) -> Planned {
    guard let last = compiled.output(of: name), let fields = compiled.fields(of: name),
      !(last.operation is Buffer)
    else { throw .invalid("\(name) ends in a buffer, whose output cannot be logged") }
    return Planned(
      name: name, source: .processor(last.key, last.output), fields: fields.fields,
      configuration: chain.configuration, period: chain.every)
  }

  /// What is read by the board itself, silently: other reads reach no logger (section 2.2).
  private func plan(
    _ definition: StreamDefinition, _ name: String, _ component: Int?, _ configuration: JSONObject,
    every: Duration, _ source: any StreamSource
  ) throws(CommandFailure) -> Planned {
    guard let question = try source.question(for: definition, configuration),
      let signal = signal(of: definition, name, configuration)
    else { throw CommandFailure(.unsupported, "this \(board.model.rawValue) cannot read \(name)") }
    if let obstacle = Self.obstacle(to: question, of: name, on: board) {
      throw CommandFailure(.unsupported, obstacle)
    }
    var heard = signal
    heard.address = SignalAddress(question.register, .silentRead, index: question.selector.first)
    return Planned(
      name: name, source: .signal(heard), fields: Self.fields(of: definition, component),
      configuration: configuration.withoutLanes, period: every,
      poll: (every, question.register.silentRead(question.arguments)), prepare: question.prepare)
  }

  /// Why the board cannot log what it has to read for that; nil where it can.
  private static func obstacle(
    to question: SensorQuestion, of name: String, on board: Inventory
  ) -> String? {
    if question.warmUp != nil {
      return "\(name) needs a sensor that runs beside it; log pressure or altitude without \"every\""
    }
    // Trap T35.
    guard question.register == Battery.state.register, board.model == .metaMotionS else { return nil }
    return "a MetaMotion S cannot log its battery"
  }

  /// Whether a board can log a stream that it offers, however that is configured.
  static func canLog(
    _ definition: StreamDefinition, on board: Inventory, by sources: StreamSources
  ) -> Bool {
    guard board.has(.logging) else { return false }
    // What notifies needs no reads; what lacks a part of its configuration is refused for that.
    guard !definition.isNotified, let index = sources.index(for: definition),
      let question = try? sources.all[index].question(for: definition, [:])
    else { return true }
    return obstacle(to: question, of: definition.name, on: board) == nil
  }

  private func signal(
    of definition: StreamDefinition, _ name: String, _ configuration: JSONObject
  ) -> Signal? {
    if definition.outlet == .event {
      let register = SensorModules.register(of: definition.name, on: board.accelerometer?.chip)
      return register.map { Signal(address: SignalAddress($0), layout: .numbers(.plain(1))) }
    }
    if definition.name == "steps" {
      // The count, where the signal of that name is a step.
      let count =
        board.accelerometer?.chip == .bmi270 ? BMI270Features.stepCount : BMI160Detectors.stepCount
      return count.signal()
    }
    return board.signal(of: name, configured: configuration)
  }

  /// Of a detector its flags, raw (MQTT contract 2.4).
  static func fields(
    of definition: StreamDefinition, _ component: Int?
  ) -> [StreamDefinition.Field] {
    guard definition.outlet == .stream else {
      return [.init("\(definition.name.split(separator: "-").joined(separator: "_"))_flags", "", .integer)]
    }
    return component.map { [definition.fields[$0]] } ?? definition.fields
  }
}

extension JSONObject {
  /// Without what the gateway does with samples of streams.
  fileprivate var withoutLanes: JSONObject {
    let lanes = Set(StreamDefinition.laneParameters.map(\.name))
    return JSONObject(members.filter { !lanes.contains($0.key) }.map { ($0.key, $0.value) })
  }
}
