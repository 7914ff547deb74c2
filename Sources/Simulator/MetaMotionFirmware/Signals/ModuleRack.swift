/// The modules of one board and the bus between them: who answers which packet, who is due when, and who gets
/// what fires.
struct ModuleRack: Sendable {
  private static let information: UInt8 = 0x00
  /// A graph of processors and events may feed itself; what one instant sets off ends here.
  static let mostStepsAtOnce = 1024

  private(set) var modules: [any FirmwareModule]
  /// By module id; -1 where the board has none.
  private let positions: [Int]
  private let consumers: [Int]
  /// When each module is due next.
  private var due: [Duration?]
  private var isStale = true

  init(on board: Mainboard) {
    modules = ModuleTable.modules(of: board)
    var positions = [Int](repeating: -1, count: 256)
    for (position, module) in modules.enumerated() { positions[Int(type(of: module).id)] = position }
    self.positions = positions
    consumers = modules.indices.filter { [modules] in type(of: modules[$0]).consumesSignals }
    due = modules.map { _ in nil }
  }

  /// The earliest time at which a module has something to do; valid after `runPending`.
  var nextEvent: Duration? {
    var earliest: Duration?
    for time in due {
      guard let time else { continue }
      earliest = earliest.map { min($0, time) } ?? time
    }
    return earliest
  }

  /// Something that modules look at has changed without their doing: the link, the battery, the time.
  mutating func touch() { isStale = true }

  /// Nil if the board has no such module.
  func module<Module: FirmwareModule>(_ type: Module.Type) -> Module? {
    let index = positions[Int(Module.id)]
    return index < 0 ? nil : modules[index] as? Module
  }

  /// Somebody outside does something to a module.
  mutating func change<Module: FirmwareModule>(_ type: Module.Type, _ change: (inout Module) -> Void) {
    let index = positions[Int(Module.id)]
    guard index >= 0, var module = modules[index] as? Module else { return }
    change(&module)
    modules[index] = module
    isStale = true
  }

  /// Everything forgets what a reset makes it forget.
  mutating func reset(on board: inout Mainboard) {
    board.listeners.subscriptions = []
    board.sensors.running = []
    board.sensors.powerModes = [:]
    board.sensors.strides = [:]
    board.errands = []
    for index in modules.indices { modules[index].reset(on: &board) }
    collectSources(on: &board)
    isStale = true
  }

  /// The processor is up: what runs at boot is left pending.
  mutating func boot(on board: inout Mainboard) {
    for index in modules.indices { modules[index].boot(on: &board) }
    isStale = true
  }

  /// Modules see that nobody is connected any more.
  mutating func linkGone(on board: inout Mainboard) {
    for index in modules.indices { modules[index].linkGone(on: &board) }
    isStale = true
  }

  /// Lets every module that is due now do what it has to do.
  mutating func fireDue(on board: inout Mainboard) {
    for index in modules.indices {
      guard let time = due[index], time <= board.now else { continue }
      modules[index].fire(on: &board)
      schedule(index, on: board)
    }
  }

  /// Carries out one packet, whoever sent it: the host, an event or a macro.
  mutating func perform(_ packet: Packet, on board: inout Mainboard) {
    if packet.register == Self.information {
      guard packet.verb != .write, packet.payload.isEmpty else { return }
      board.answer(packet, board.model.modules[packet.module] ?? [])
      return
    }
    let index = positions[Int(packet.module)]
    guard index >= 0 else { return }
    isStale = true
    switch packet.verb {
    case .write where modules[index].streams.contains(packet.register):
      subscribe(packet, on: &board)
    case .write:
      modules[index].write(packet.register, packet.payload, on: &board)
      if type(of: modules[index]).consumesSignals { collectSources(on: &board) }
    case .read, .silentRead:
      guard let value = modules[index].read(packet.register, packet.payload, on: &board) else { return }
      board.answer(packet, value)
      publish(value, of: packet, isIndexed: modules[index].indexed.contains(packet.register), on: &board)
    }
  }

  /// Hands on what fired and carries out what that sets off, until nothing is left or a module wants something
  /// that is not the modules' to do. `budget` is how many steps may still be taken at this instant.
  mutating func runPending(on board: inout Mainboard, budget: inout Int) {
    while board.request == nil, !board.errands.isEmpty {
      guard budget > 0 else {
        board.errands = []
        break
      }
      budget -= 1
      switch board.errands.removeFirst() {
      case .handOn(let signal): handOn(signal, on: &board)
      case .perform(let packet): perform(packet, on: &board)
      case .notify(let packet): if board.isConnected { board.effects.append(.notify(packet)) }
      case .spoof(let module, let register, let data):
        guard let signal = spoofed(module, register, data) else { continue }
        handOn(signal, on: &board)
      }
    }
    guard isStale else { return }
    for index in modules.indices { schedule(index, on: board) }
    isStale = false
  }

  /// What somebody pretends to have fired: behind some registers an index comes before the value.
  private func spoofed(_ module: UInt8, _ register: UInt8, _ data: [UInt8]) -> Signal? {
    let position = positions[Int(module)]
    guard position >= 0, modules[position].indexed.contains(register & 0x3F) else {
      return Signal(source: SignalSource(module: module, register: register), payload: data, isFired: true)
    }
    guard let index = data.first else { return nil }
    return Signal(
      source: SignalSource(module: module, register: register, index: index),
      payload: Array(data.dropFirst()), isFired: true)
  }

  private mutating func schedule(_ index: Int, on board: Mainboard) {
    // A module that is due at once, again and again, would stop time.
    due[index] = modules[index].nextEvent(on: board).map { max($0, board.now + .nanoseconds(1)) }
  }

  private mutating func handOn(_ signal: Signal, on board: inout Mainboard) {
    let index = positions[Int(signal.source.module)]
    if signal.isFired, board.isConnected, index >= 0, modules[index].forwards(signal.source, on: board) {
      board.effects.append(.notify(signal.packet))
    }
    guard board.listeners.consumed.contains(signal.source.ofAnyIndex) else { return }
    for consumer in consumers { modules[consumer].receive(signal, on: &board) }
  }

  /// A value that was read is a signal as well: its source is the register in the form in which it was read
  /// (protocol reference 2.2).
  private func publish(_ value: [UInt8], of packet: Packet, isIndexed: Bool, on board: inout Mainboard) {
    let form = packet.verb == .read ? ReadForm.loud : ReadForm.silent
    guard board.isConsumed(packet.module, form | packet.register) else { return }
    let index = isIndexed ? value.first ?? SignalSource.noIndex : SignalSource.noIndex
    board.errands.append(
      .handOn(
        Signal(
          source: SignalSource(module: packet.module, register: form | packet.register, index: index),
          payload: isIndexed ? Array(value.dropFirst()) : value, isFired: false)))
  }

  private mutating func collectSources(on board: inout Mainboard) {
    board.listeners.consumed = []
    for consumer in consumers {
      for source in modules[consumer].sources { board.listeners.consumed.insert(source.ofAnyIndex) }
    }
  }

  private func subscribe(_ packet: Packet, on board: inout Mainboard) {
    let source = SignalSource(module: packet.module, register: packet.register)
    switch packet.payload {
    case [0]: board.listeners.subscriptions.remove(source)
    case [1]: board.listeners.subscriptions.insert(source)
    default: break
    }
  }
}
