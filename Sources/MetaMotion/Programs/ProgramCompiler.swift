import FleetModel

/// What a program needs on a board, in the order in which it can be created; slots are filled in as they become known.
struct ProgramCompiler: Sendable {
  let board: Inventory
  private let program: BoardProgram
  private let macros: [String: UInt8]
  private let streams: ConfiguredStreams
  let chains: ChainCompiler
  let logs: LogCompiler
  /// Processors, then loggers, then timers, then events; each behind what it refers to.
  private(set) var keys: [ResourceKey] = []

  /// Checks everything that can be checked without the board. Throws `invalid` or `unsupported`.
  init(
    _ program: BoardProgram, on board: Inventory, macros: [String: UInt8] = [:],
    streams: ConfiguredStreams = ConfiguredStreams()
  ) throws(CommandFailure) {
    (self.program, self.board, self.macros, self.streams) = (program, board, macros, streams)
    var all = program.chains
    for (name, event) in program.events {
      guard case .button(let isPressed?) = event.source else { continue }
      // One edge alone is one more processor, under a name that nobody can give.
      all[Self.edge(of: name)] = Chain(
        from: "switch", [ChainStep("comparator", ["value": isPressed ? 1 : 0, "op": "=="])], outputs: [])
    }
    chains = try ChainCompiler(all, on: board)
    logs = try LogCompiler(program.logs, of: program, compiled: chains, on: board, streams: streams)
    if let name = program.timers.keys.sorted().first(where: {
      program.timers[$0]?.isStreamed == true && program.chains[$0] != nil
    }) {
      throw .invalid("\(name) is a chain already; a timer whose ticks are a stream needs another name")
    }
    if !all.isEmpty { try need(.processor) }
    if !program.logs.isEmpty { try need(.logging) }
    keys = chains.planned.map(\.key) + logs.planned.flatMap(\.keys)
    keys += (program.timers.keys.sorted() + polls.keys.sorted()).map { .timer($0) }
    if keys.contains(where: { $0.kind == .timers }) { try need(.timer) }
    // Any slot will do to see whether the rest holds together.
    var rehearsal = ResourceSlots()
    for key in keys { rehearsal[key] = 0 }
    try addEvents(rehearsal)
  }

  private static func edge(of event: String) -> String { "\(event).edge" }
  private static func poll(_ chain: String) -> String { "\(chain).every" }

  /// What the board reads by itself, by the names of the timers that set it off.
  private var polls: [String: (every: Duration, packet: [UInt8])] {
    var polls: [String: (every: Duration, packet: [UInt8])] = [:]
    for (chain, poll) in chains.polls { polls[Self.poll(chain)] = (poll.every, poll.packet) }
    for log in logs.planned { polls[LogCompiler.timer(of: log.name)] = log.poll }
    return polls
  }

  /// Packets of a timer's ticks are events, too.
  static func ticks(of timer: String) -> String { "timer.\(timer)" }

  private func need(_ module: Module) throws(CommandFailure) {
    guard board.has(module) else {
      throw CommandFailure(.unsupported, "this \(board.model.rawValue) has no \(module.name) module")
    }
  }

  private mutating func addEvents(_ rehearsal: ResourceSlots) throws(CommandFailure) {
    let names =
      program.timers.keys.sorted().map(Self.ticks)
      + polls.keys.sorted().map(Self.ticks)
      + program.events.keys.sorted()
    for name in names {
      guard try source(of: name, in: rehearsal) != nil else {
        throw .invalid("\(name) depends on something that is not defined")
      }
      let packets = try packets(of: name, in: rehearsal)
      for packet in packets where packet.bytes.count > 2 + EventEntry.parameterLimit {
        throw .invalid("a packet of \(name) is too long for an event")
      }
      keys += packets.indices.map { .event(name, $0) }
    }
    if keys.contains(where: { $0.kind == .events }) { try need(.event) }
  }

  /// What stands in the slot of `key`; nil until the slots it refers to are known.
  func resource(_ key: ResourceKey, in slots: ResourceSlots) -> BoardResource? {
    switch key {
    case .processor:
      return chains.planned.first { $0.key == key }?.definition(in: slots).map { .processor($0) }
    case .logger(let name, let place):
      return logs.planned.first { $0.name == name }?.logger(place, in: slots).map { .logger($0) }
    case .timer(let name): return timer(name).map { .timer($0) }
    case .event(let name, let place):
      guard let source = try? source(of: name, in: slots), let packets = try? packets(of: name, in: slots),
        packets.indices.contains(place)
      else { return nil }
      let packet = packets[place]
      return EventEntry(on: source, run: packet.bytes, token: packet.token).map { .event($0) }
    }
  }

  /// Whether a timer is to run as soon as it is there.
  func isStarted(timer name: String) -> Bool { program.timers[name]?.isStarted ?? true }

  private func timer(_ name: String) -> BoardTimer? {
    if let timer = program.timers[name] {
      return BoardTimer(
        periodMilliseconds: timer.periodMilliseconds, repetitions: timer.repetitions,
        isImmediate: timer.isImmediate)
    }
    guard let poll = polls[name] else { return nil }
    let milliseconds = poll.every / .milliseconds(1)
    return BoardTimer(periodMilliseconds: UInt32(min(max(milliseconds, 1), 4_294_967_295)))
  }

  /// What turns actions into packets, among what is in `slots`.
  func actionCompiler(_ slots: ResourceSlots) -> ActionCompiler {
    ActionCompiler(
      board: board, program: program, chains: chains, slots: slots, macros: macros, streams: streams)
  }

  private func packets(
    of name: String, in slots: ResourceSlots
  ) throws(CommandFailure) -> [ActionCompiler.Packet] {
    let actions = actionCompiler(slots)
    if let event = program.events[name] { return try actions.packets(event.actions) }
    if let timer = program.timers.first(where: { Self.ticks(of: $0.key) == name })?.value {
      return try actions.packets(timer.actions)
    }
    return polls.first { Self.ticks(of: $0.key) == name }.map { [.init(bytes: $0.value.packet)] } ?? []
  }

  /// Where the trigger of a list of actions comes out; nil until its slot is known.
  private func source(of name: String, in slots: ResourceSlots) throws(CommandFailure) -> SignalAddress? {
    if let event = program.events[name] { return try source(event.source, of: name, in: slots) }
    let timers = Array(program.timers.keys) + polls.keys
    guard let timer = timers.first(where: { Self.ticks(of: $0) == name }) else { return nil }
    return slots[.timer(timer)].map(BoardTimer.signal)
  }

  private func source(
    _ source: EventSource, of name: String, in slots: ResourceSlots
  ) throws(CommandFailure) -> SignalAddress? {
    func output(of chain: String) throws(CommandFailure) -> SignalAddress? {
      guard let last = chains.output(of: chain) else {
        throw .invalid(Suggestion.missing("chain", chain, among: program.chains.keys.sorted()))
      }
      guard !(last.operation is Buffer) else {
        throw .invalid("\(chain) ends in a buffer, which sends no notifications")
      }
      return slots[last.key].map { .output(ofProcessor: $0) }
    }
    switch source {
    case .button(isPressed: nil): return SignalAddress(Switch.state)
    case .button: return try output(of: Self.edge(of: name))
    case .timer(let timer):
      guard program.timers[timer] != nil else {
        throw .invalid(Suggestion.missing("timer", timer, among: program.timers.keys.sorted()))
      }
      return slots[.timer(timer)].map(BoardTimer.signal)
    case .chain(let chain): return try output(of: chain)
    case .disconnect:
      guard board.has(.settings, from: 2) else {
        throw CommandFailure(.unsupported, "disconnect cannot be a trigger on this board")
      }
      return SignalAddress(RadioSettings.disconnection)
    case .pin(let pin):
      guard pin < board.modules[.gpio]?.extra.count ?? 0 else {
        throw CommandFailure(.unsupported, "this \(board.model.rawValue) has no pin \(pin)")
      }
      return SignalAddress(Pin.change.register, index: pin)
    case .stream(let stream):
      guard let signal = board.signal(of: stream) else {
        throw .invalid("\(stream) cannot be a trigger")
      }
      return signal.heardByProcessors(on: board.processorDialect).address
    case .detector(let detector):
      guard let register = SensorModules.register(of: detector, on: board.accelerometer?.chip),
        board.has(register.module)
      else { throw CommandFailure(.unsupported, "this board has no detector \(detector)") }
      return SignalAddress(register)
    case .power, .charge:
      let isPower = source == .power
      let settings = board.modules[.settings]
      guard isPower ? PowerSupply.hasPowerStatus(settings) : PowerSupply.hasChargeStatus(settings) else {
        throw CommandFailure(.unsupported, "this board does not report its power supply")
      }
      return SignalAddress(
        isPower ? PowerSupply.powerStatus.register : PowerSupply.chargeStatus.register)
    }
  }
}
