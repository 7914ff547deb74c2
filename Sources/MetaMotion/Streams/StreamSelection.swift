import BoardKit
import FleetModel

/// What wanted streams mean for this board: what it must run, how its packets are read, what cannot be had.
struct StreamSelection {
  /// What the board shall run.
  private(set) var setup: RunningSensors
  /// How its packets are read then.
  private(set) var routes: [PacketRoute] = []
  /// How those of its processors are.
  private(set) var outputs = ChainOutputs()
  /// Whose ticks are heard.
  private(set) var timers = TimerOutputs()
  /// The streams that will run, with the values the board uses.
  private(set) var active: [ActiveStream] = []
  /// What cannot be had, and why.
  private(set) var refused: [StreamKey: CommandFailure] = [:]
  /// How the streams run that are logged.
  private(set) var logged: [String: ConfiguredStreams.Logged] = [:]
  /// The periods of the sensors of chains, where they are kept exactly, by the names of the chains.
  private var periods: [String: Duration] = [:]
  /// The units that the board itself takes samples of.
  private(set) var consumed: Set<SensorRun.Unit> = []
  /// The streams that need each unit.
  private(set) var dependants: [SensorRun.Unit: [StreamKey]] = [:]
  /// All that an earlier session may have left running.
  let leftOver: [SensorRun]

  /// Judges streams in the order of their keys: where two disagree, the first one counts. What the chips notice goes by
  /// how they run for streams of samples, and is judged after those.
  ///
  /// What chains need on the board is judged like streams are, but delivers nothing. `chains` are the outputs that can
  /// be had as streams.
  init(
    _ streams: [StreamKey: StreamRequest], chains: [String: ChainOutput] = [:], button: Bool,
    on board: Inventory
  ) {
    var sources = StreamSources(on: board)
    leftOver = sources.leftOver
    var chips = ChipUse()
    // What the host hears goes by what is wanted there alone; what runs, by all.
    var heard = (sources: sources, chips: chips)
    setup = RunningSensors()
    var inOrder = streams.sorted { $0.key < $1.key }
    for (key, request) in inOrder where request.consumer == nil {
      if let chain = chains[request.name] { add(key, request, chain) }
    }
    inOrder.removeAll { $0.value.consumer == nil && chains[$0.value.name] != nil }
    for isNoticed in [false, true] {
      for (key, request) in inOrder where Self.isNoticed(request.name) == isNoticed {
        do {
          let (order, index) = try add(key, request, &sources, &chips, board)
          // What agreed with all others agrees with some of them.
          if order.consumer == nil { _ = try? heard.sources.take(order, at: index, &heard.chips) }
        } catch {
          refused[key] = error
        }
      }
    }
    active.sort { $0.key < $1.key }
    for index in active.indices {
      guard let source = chains[active[index].request.name]?.rateSource, let period = periods[source] else {
        continue
      }
      active[index].period = period
    }
    routes = heard.sources.all.flatMap { $0.routes(chips) }
    var runs = sources.all.flatMap { $0.runs(chips) }
    if button, board.has(.switch) {
      runs.append(SwitchSource.run)
      for index in routes.indices where routes[index].header == Switch.state.notificationHeader {
        routes[index].notice = .button
      }
    }
    // A sensor may run for the board alone.
    let wanted = Set(routes.filter(\.isWanted).map(\.header))
    setup = RunningSensors(runs.map { $0.subscribing(only: wanted) } + outputs.runs + timers.runs)
  }

  /// Whether a chip notices it by itself; steps are counted that way, too.
  private static func isNoticed(_ name: String) -> Bool {
    name == "steps" || StreamCatalogue.find(name)?.stream.outlet == .event
  }

  private mutating func add(
    _ key: StreamKey, _ request: StreamRequest, _ sources: inout StreamSources, _ chips: inout ChipUse,
    _ board: Inventory
  ) throws(CommandFailure) -> (StreamOrder, Int) {
    guard let (definition, component) = StreamCatalogue.find(request.name),
      let index = sources.index(for: definition)
    else {
      let advice = Suggestion.advice(for: request.name, among: board.description.streams.map(\.name))
      throw CommandFailure(
        .unsupported, "this \(board.model.rawValue) has no stream \(request.name); \(advice)")
    }
    let order = StreamOrder(
      key: request.consumer == nil ? key : nil, name: request.name, consumer: request.consumer,
      definition: definition,
      component: component, configuration: try definition.configure(request.configuration).values)
    let taken = try sources.take(order, at: index, &chips)
    if let unit = taken.unit { dependants[unit, default: []].append(key) }
    if request.consumer == .log {
      logged[request.name] = .init(
        configuration: taken.configuration, period: taken.isRegular ? taken.period : nil)
    }
    if request.consumer != nil {
      if let unit = taken.unit { consumed.insert(unit) }
      if let chain = request.consumer?.chain, taken.isRegular, !taken.isPolled {
        periods[chain] = taken.period
      }
    } else {
      active.append(
        ActiveStream(
          key: key, request: StreamRequest(name: request.name, configuration: taken.configuration),
          period: taken.period, isPolled: taken.isPolled, isRegular: taken.isRegular,
          mayBeSilent: taken.mayBeSilent))
    }
    return (order, index)
  }

  /// What comes out of a chain comes when it comes.
  private mutating func add(_ key: StreamKey, _ request: StreamRequest, _ chain: ChainOutput) {
    if chain.isTimer { timers.add(slot: chain.slot, for: key) } else { outputs.add(chain, for: key) }
    active.append(
      ActiveStream(
        key: key, request: request, period: nil, isPolled: false, mayBeSilent: true,
        fields: chain.stream.fields,
        stamps: chain.layout.hasTick ? .boardTick : .arrival))
  }
}
