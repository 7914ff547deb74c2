import FleetModel

/// Turns actions into the packets that a board keeps and runs by itself (MQTT contract 3.6).
struct ActionCompiler: Sendable {
  /// One packet, and what of the trigger is copied into it.
  struct Packet: Hashable, Sendable {
    var bytes: [UInt8]
    var token: DataToken?
  }

  let board: Inventory
  /// What is on the board by names.
  let program: BoardProgram
  let chains: ChainCompiler
  /// Slots of what actions name.
  let slots: ResourceSlots
  let macros: [String: UInt8]
  /// What actions can start and stop.
  let streams: ConfiguredStreams

  /// The packets of `actions`, in their order. Throws `invalid` for names that do not exist, `unsupported` for what the
  /// board cannot do.
  func packets(_ actions: [BoardAction]) throws(CommandFailure) -> [Packet] {
    var all: [Packet] = []
    for action in actions {
      var packets: [Packet] = []
      for bytes in try commands(action.command) { packets.append(Packet(bytes: bytes)) }
      if let token = action.token {
        guard packets.indices.contains(token.packet) else {
          throw .invalid("token names packet \(token.packet); the action has \(packets.count), from 0")
        }
        guard Int(token.destination) < packets[token.packet].bytes.count - 2 else {
          throw .invalid("dest \(token.destination) lies behind the packet's parameters")
        }
        packets[token.packet].token = DataToken(
          length: token.length, offset: token.offset, destination: token.destination)
      }
      all += packets
    }
    return all
  }

  private func commands(_ command: BoardAction.Command) throws(CommandFailure) -> [[UInt8]] {
    switch command {
    case .led(let led): return try need(.led, LED.packets(led, revision: board.revision(of: .led) ?? 0))
    case .haptic(let haptic): return try need(.haptic, [Haptic.packet(haptic)])
    case .pin(let pin): return try need(.gpio, PinControl.packets(pin))
    case .bus(let bus, let forLog): return try self.bus(bus, forLog: forLog)
    case .beacon(let beacon): return try need(.iBeacon, IBeacon.packets(beacon))
    case .read(let request, let forLog): return [try read(request, forLog: forLog)]
    case .logging(let isOn): return try need(.logging, [LogMemory.logging.write(isOn ? 1 : 0)])
    case .stream(let name, let isOn): return try streams.packets(name, isOn: isOn)
    case .timer(let name, let isOn):
      guard let slot = slots[.timer(name)] else { throw slots.missing(timer: name) }
      return [isOn ? BoardTimer.start(slot) : BoardTimer.stop(slot)]
    case .macro(let name):
      guard let slot = macros[name] else {
        throw .invalid("this gateway recorded no macro \(name); record it first")
      }
      return [Macro.run(slot)]
    case .processor(let change): return [try processor(change)]
    case .settings(let settings): return try self.settings(settings)
    case .bindEvent(let name, let event): return try bindings(of: event, name)
    case .createTimer(let name, _), .createChain(let name, _):
      throw .invalid(
        "\(name) can be made by macro-record with at_boot alone: only at a start is known which slot it gets")
    case .reset: return [Debug.reset]
    case .disconnect: return [Debug.disconnect]
    case .sleep:
      guard board.has(.debug, from: Debug.firstRevisionWithPowerSave) else {
        throw CommandFailure(.unsupported, "the firmware of this board cannot power down")
      }
      return [Debug.powerSave, Debug.reset]
    case .raw(let bytes): return [bytes]
    }
  }

  private func need(_ module: Module, _ packets: [[UInt8]]) throws(CommandFailure) -> [[UInt8]] {
    guard board.has(module) else {
      throw CommandFailure(.unsupported, "this \(board.model.rawValue) has no \(module.name)")
    }
    return packets
  }

  /// What a bus is told. A read of just what loggers or chains take is one for each of these: they hear their own ids
  /// alone.
  private func bus(_ command: BusCommand, forLog: Bool) throws(CommandFailure) -> [[UInt8]] {
    guard board.hasBus(of: command) else { throw board.lacksBus }
    let ids = try program.busIDs(for: command, forLog ? .loggers : .processors)
    let packets = ids.isEmpty ? [BusControl.packet(command)] : ids.map { BusControl.packet(command, id: $0) }
    return packets.map { Self.silenced($0, forLog) }
  }

  /// A read for loggers alone, where that is wanted.
  private static func silenced(_ packet: [UInt8], _ forLog: Bool) -> [UInt8] {
    guard forLog, packet.count > 1, packet[1] & SignalAddress.Access.read.rawValue != 0 else { return packet }
    var packet = packet
    packet[1] |= SignalAddress.Access.silentRead.rawValue
    return packet
  }

  private func read(_ request: ReadRequest, forLog: Bool) throws(CommandFailure) -> [UInt8] {
    let keys = request.selectors
    let packet: [UInt8]
    switch request.what {
    case "temperature":
      let channel =
        keys["channel"]?.integer.map { UInt8(clamping: $0) }
        ?? Temperature.Source(named: keys["source"]?.string ?? "die").flatMap {
          board.temperature?.channel(of: $0)
        }
      guard let channel, Int(channel) < board.temperature?.sources.count ?? 0 else {
        throw CommandFailure(.unsupported, "this \(board.model.rawValue) has no such temperature")
      }
      packet = Temperature.temperature.register.read(channel)
    case "gpio": packet = try readPin(keys)
    case "processor": packet = Processor.state.read(try processorSlot(keys))
    default:
      guard let signal = Self.readable.first(where: { $0.stream == request.what }) else {
        let words = Self.readable.compactMap(\.stream).joined(separator: ", ")
        throw .invalid(
          "a board cannot read \(request.what) by itself; it can read temperature, gpio, \(words) and processor"
        )
      }
      packet = try need(signal.register.module, [signal.register.read()])[0]
    }
    return Self.silenced(packet, forLog)
  }

  /// What sensors tell when they are asked, of those that a board has once.
  private static let readable = SensorModules.signals(on: nil).filter {
    $0.stream != nil && $0.index == nil && $0.isReadable
  }

  private func readPin(_ keys: JSONObject) throws(CommandFailure) -> [UInt8] {
    let kind = keys["kind"]?.string.flatMap { PinStreams.Kind(rawValue: $0) } ?? .digital
    let name = PinStreams.name(Int(keys["pin"]?.integer ?? 0), kind)
    guard let source = PinSource(on: board), let stream = StreamCatalogue.find(name)?.stream,
      source.offers(for: stream) != nil, let question = try source.question(for: stream, keys)
    else { throw CommandFailure(.unsupported, "this \(board.model.rawValue) has no \(name)") }
    return question.register.read(question.arguments)
  }

  /// The last processor of a chain, or any slot.
  private func processorSlot(_ keys: JSONObject) throws(CommandFailure) -> UInt8 {
    if let slot = keys["processor"]?.integer { return UInt8(clamping: slot) }
    let name = keys["name"]?.string ?? ""
    guard let slot = slots.lastProcessor(of: name) else { throw slots.missing(chain: name) }
    return slot
  }

  private func settings(_ settings: BoardSettings) throws(CommandFailure) -> [[UInt8]] {
    var kept = BoardSettings()
    kept.transmissionPower = settings.transmissionPower
    kept.advertising = settings.advertising
    kept.scanResponse = settings.scanResponse
    kept.startsAdvertising = settings.startsAdvertising
    guard kept == settings else {
      throw .invalid("as an action, settings takes tx_dbm, advertising, scan_response and start_advertising")
    }
    return try SettingsPlan(settings, on: board).steps.flatMap(\.writes)
  }

  /// What changes a processor; also outside of actions.
  func processor(_ change: ProcessorChange) throws(CommandFailure) -> [UInt8] {
    let (planned, input, slot) = try processor(of: change)
    switch change.change {
    case .reset:
      guard planned.operation.isResettable else {
        throw CommandFailure(.unsupported, "\(planned.operation.name) has no state to reset")
      }
      return Processor.setState(slot)
    case .state(let value):
      guard let bytes = planned.operation.stateBytes(value, of: input) else {
        throw .invalid("\(planned.operation.name) has no numeric state")
      }
      return Processor.setState(slot, bytes)
    case .parameters(let parameters):
      return Processor.modify(
        slot,
        to: try StepCompiler(dialect: board.processorDialect).operation(
          try step(parameters, of: change), on: input))
    }
  }

  /// The step that a change of parameters makes.
  func step(_ parameters: JSONObject, of change: ProcessorChange) throws(CommandFailure) -> ChainStep {
    try ChainStepDefinition.parse(.object([(try type(of: change)): .object(parameters)]))
  }

  /// The processor that a change means, what goes into it, and its slot.
  func processor(
    of change: ProcessorChange
  ) throws(CommandFailure) -> (planned: ChainCompiler.Planned, input: SampleLayout, slot: UInt8) {
    let places = chains.places[change.chain] ?? []
    let index = change.step < 0 ? places.count + change.step : change.step
    guard places.indices.contains(index) else {
      throw .invalid("\(change.chain) has no step \(change.step); it has \(places.count)")
    }
    let key = ResourceKey.processor(change.chain, places[index])
    guard let planned = chains.planned.first(where: { $0.key == key }), let slot = slots[key] else {
      throw slots.missing(chain: change.chain)
    }
    switch planned.source {
    case .signal(let signal): return (planned, signal.layout, slot)
    case .processor(_, let layout): return (planned, layout, slot)
    }
  }

  private func type(of change: ProcessorChange) throws(CommandFailure) -> String {
    guard let type = chains.stepType(of: change) else { throw slots.missing(chain: change.chain) }
    return type
  }
}
