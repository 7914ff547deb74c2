import FleetModel

/// Turns chains into processors whose slots are not known yet (MQTT contract 3.8).
struct ChainCompiler: Sendable {
  /// Where a processor takes its samples from.
  enum Source: Hashable, Sendable {
    case signal(Signal)
    case processor(ResourceKey, SampleLayout)
  }

  /// One processor, as far as it can be known before the board has assigned slots.
  struct Planned: Sendable {
    var key: ResourceKey
    var source: Source
    var operation: any ProcessorOperation
    /// Of a fuser, in the order of its output.
    var buffers: [ResourceKey] = []
    /// What comes out.
    var output: SampleLayout
    /// The keys of its values, where unlike ones stand side by side (MQTT contract 2.5).
    var parts: [String] = []

    /// What to create, once the slots it builds on are known; nil before.
    func definition(in slots: ResourceSlots) -> ProcessorDefinition? {
      var operation = operation
      if operation is Fuser {
        let known = buffers.compactMap { slots[$0] }
        guard known.count == buffers.count else { return nil }
        operation = Fuser(known)
      }
      switch source {
      case .signal(let signal): return ProcessorDefinition(on: signal, operation)
      case .processor(let key, let layout):
        guard let slot = slots[key] else { return nil }
        let signal = Signal(address: .output(ofProcessor: slot), layout: layout)
        return ProcessorDefinition(on: signal, operation)
      }
    }
  }

  private let board: Inventory
  private let chains: [String: Chain]
  private let steps: StepCompiler
  private let busIDs: BusIDs
  /// In an order in which they can be created.
  private(set) var planned: [Planned] = []
  /// Places of the declared steps among a chain's processors; fusers bring buffers of their own.
  private(set) var places: [String: [Int]] = [:]
  /// Reads that drive chains of readable sources, by the chain that came first: each reading goes to all on its source.
  private(set) var polls: [String: (address: SignalAddress, every: Duration, packet: [UInt8])] = [:]
  private var outputs: [String: Planned] = [:]
  private var open: Set<String> = []

  /// Compiles all `chains`, each behind those it builds on. Throws `invalid` or `unsupported`.
  init(_ chains: [String: Chain], on board: Inventory) throws(CommandFailure) {
    (self.chains, self.board) = (chains, board)
    steps = StepCompiler(dialect: board.processorDialect)
    busIDs = try BusIDs(chains.values.flatMap(\.inputs), for: .processors)
    for name in chains.keys.sorted() { try compile(name) }
  }

  /// The last processor of a chain; nil for a name that is none's.
  func output(of chain: String) -> Planned? { outputs[chain] }

  private mutating func compile(_ name: String) throws(CommandFailure) {
    guard outputs[name] == nil, let chain = chains[name] else { return }
    guard open.insert(name).inserted else { throw .invalid("\(name) builds on itself") }
    defer { open.remove(name) }
    var (source, layout) = try source(chain.source, of: chain, name)
    var parts = layout.numbers == nil ? componentKeys(of: chain.source) : []
    var place = 0
    for step in chain.steps {
      var buffers: [ResourceKey] = []
      var inputs: [SampleLayout] = []
      for other in step.parameters["with"]?.array?.compactMap(\.string) ?? [] {
        let (from, input) = try self.source(other, of: chain, name)
        if case .processor(let key, _) = from, planned.first(where: { $0.key == key })?.operation is Buffer {
          buffers.append(key)
        } else {
          let key = ResourceKey.processor(name, place)
          planned.append(Planned(key: key, source: from, operation: Buffer(of: input), output: input))
          buffers.append(key)
          place += 1
        }
        inputs.append(input)
      }
      let operation = try steps.operation(step, on: layout)
      let output = operation.output(of: layout, with: inputs)
      guard output.byteCount <= Processor.outputLimit else {
        throw .invalid(
          "\(step.type) would yield \(output.byteCount) bytes; a notification holds \(Processor.outputLimit)")
      }
      if operation is Fuser {
        parts = ([chain.source] + (step.parameters["with"]?.array?.compactMap(\.string) ?? [])).flatMap(keys)
      }
      let key = ResourceKey.processor(name, place)
      let processor = Planned(
        key: key, source: source, operation: operation, buffers: buffers, output: output, parts: parts)
      planned.append(processor)
      places[name, default: []].append(place)
      outputs[name] = processor
      (source, layout, place) = (.processor(key, output), output, place + 1)
    }
  }

  /// The field keys of a chain or a stream that a fuser joins.
  private func keys(of input: String) -> [String] {
    if let chain = outputs[input] { return fields(of: input, chain).names }
    guard let (stream, component) = StreamCatalogue.find(input) else { return [] }
    return component.map { [stream.fields[$0].name] } ?? stream.fields.map(\.name)
  }

  /// What a stream of unlike values calls them: the component, where it has one, and the unit.
  private func componentKeys(of input: String) -> [String] {
    guard let (stream, component) = StreamCatalogue.find(input), component == nil else { return [] }
    return stream.fields.enumerated().map { place, field in
      guard stream.components.indices.contains(place) else { return field.name }
      let suffix = field.name.split(separator: "_").last.map(String.init) ?? ""
      let component = stream.components[place]
      return suffix == component ? component : "\(component)_\(suffix)"
    }
  }

  private func fields(of chain: String, _ last: Planned) -> ChainFields {
    ChainFields(chain, last.output, parts: last.parts)
  }

  /// The fields of a chain's samples; nil for a name that is none's.
  func fields(of chain: String) -> ChainFields? { outputs[chain].map { fields(of: chain, $0) } }

  private mutating func source(
    _ name: String, of chain: Chain, _ own: String
  ) throws(CommandFailure) -> (Source, SampleLayout) {
    if chains[name] != nil {
      try compile(name)
      guard let last = outputs[name] else { throw .invalid("\(name) builds on \(own), which builds on it") }
      return (.processor(last.key, last.output), last.output)
    }
    let bus = try bus(name, of: chain)
    guard
      let signal = bus.map({ $0.register.signal(id: $0.id) })
        ?? board.signal(of: name, configured: chain.configuration)
    else {
      throw .invalid("\(own) wants \(name), which is no stream this board can compute with, nor a chain")
    }
    let heard = signal.heardByProcessors(on: board.processorDialect)
    if heard.address.isRead {
      guard let every = chain.every else { throw .invalid("\(own) needs every: \(name) is only readable") }
      // The read goes by the way that the chain hears.
      let address = heard.address
      let packet = bus.map { $0.register.packet(id: $0.id, by: address.access) } ?? address.readPacket
      try read(address, every, packet, name, for: own)
    }
    return (.signal(heard), heard.layout)
  }

  /// What a stream of a bus reads, and by which id; nil for a stream of anything else.
  private func bus(
    _ name: String, of chain: Chain
  ) throws(CommandFailure) -> (register: BusRegister, id: UInt8)? {
    guard let id = busIDs[name], let register = BusRegister(name, chain.configuration) else { return nil }
    guard board.hasBus(of: register.command) else { throw board.lacksBus }
    return (register, id)
  }
}

extension SignalAddress {
  /// What has the board read it, where the index says all.
  fileprivate var readPacket: [UInt8] {
    [register.module.rawValue, register.number | access.rawValue] + (index.map { [$0] } ?? [])
  }
}

extension ChainCompiler {
  /// One timer reads a source for all chains on it; with one each, every chain would get the readings of all (fault
  /// F269).
  private mutating func read(
    _ address: SignalAddress, _ every: Duration, _ packet: [UInt8], _ name: String, for own: String
  ) throws(CommandFailure) {
    guard let (other, poll) = polls.first(where: { $0.value.address == address }) else {
      polls[own] = (address, every, packet)
      return
    }
    guard poll.packet == packet else {
      throw .invalid(
        "\(own) reads \(name) otherwise than \(other) does: what is read by one name is one register; give it another "
          + "name")
    }
    guard poll.every == every else {
      throw .invalid(
        "\(own) would get the readings of \(name) that \(other) asks for every \(DurationText.format(poll.every)), "
          + "too: a board reads a source for all chains on it; give both the same every")
    }
  }

  /// The declared type of the step that a change means; nil where there is no such step.
  func stepType(of change: ProcessorChange) -> String? {
    guard let steps = chains[change.chain]?.steps else { return nil }
    let index = change.step < 0 ? steps.count + change.step : change.step
    return steps.indices.contains(index) ? steps[index].type : nil
  }
}
