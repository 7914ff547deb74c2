import FleetModel

/// What pins carry, as streams (protocol reference, section 11).
struct PinSource: StreamSource {
  /// A pin whose changes are watched.
  private struct Watch: Sendable {
    struct Settings: Hashable, Sendable {
      var edge: Pin.Edge
      var pull: Pin.Pull
    }

    var shared = SharedSettings<Settings>()
    var outputs = StreamOutputs()
  }

  private let revision: UInt8
  /// Per pin: bit 0 digital, bit 1 analog.
  private let abilities: [UInt8]
  private var watches: [UInt8: Watch] = [:]

  init?(on board: Inventory) {
    guard let revision = board.revision(of: .gpio), let abilities = board.modules[.gpio]?.extra,
      !abilities.isEmpty
    else { return nil }
    self.revision = revision
    self.abilities = Array(abilities.prefix(PinStreams.pins.count))
  }

  /// All streams of the board's pins, by name; the catalogue cannot list them.
  static func streams(on board: Inventory) -> [String] {
    guard let source = PinSource(on: board) else { return [] }
    return source.abilities.indices.flatMap { pin in
      PinStreams.Kind.allCases.filter { source.can($0, pin) }.map { PinStreams.name(pin, $0) }
    }
  }

  private func can(_ kind: PinStreams.Kind, _ pin: Int) -> Bool {
    guard abilities.indices.contains(pin) else { return false }
    switch kind {
    case .digital, .change: return abilities[pin] & 0b01 != 0
    case .adc, .voltage: return abilities[pin] & 0b10 != 0
    }
  }

  func offers(for stream: StreamDefinition) -> JSONObject? {
    guard let (pin, kind) = PinStreams.parse(stream.name), can(kind, pin) else { return nil }
    if kind == .digital || kind == .change { return stream.listedOffers }
    guard revision >= Pin.firstRevisionWithPreparation else { return [:] }
    return ["delay_us": ["min": 0, "max": 1020, "step": 4]]
  }

  mutating func take(_ order: StreamOrder, _ chips: inout ChipUse) throws(CommandFailure) -> StreamTaken {
    guard let (pin, kind) = PinStreams.parse(order.definition.name), let number = UInt8(exactly: pin) else {
      throw .invalid("\(order.name) is no stream of a pin")
    }
    if kind != .change {
      try check(order.configuration, of: order.name)
      guard let polled = order.polled else {
        throw order.needsPolling
      }
      return polled
    }
    var watch = watches[number] ?? Watch()
    let settings = Watch.Settings(
      edge: order.configuration["edge"]?.string.flatMap(Pin.Edge.init(named:)) ?? .any,
      pull: order.configuration["pull"]?.string.flatMap(Pin.Pull.init(named:)) ?? .none)
    try watch.shared.agree(on: settings, for: order.title, sensor: "pin \(pin)") {
      "edge \($0.edge), pull \($0.pull)"
    }
    watch.outputs.add(order.key, component: order.component)
    watches[number] = watch
    return StreamTaken(order.configuration, unit: .pin(number))
  }

  private func check(_ keys: JSONObject, of stream: String) throws(CommandFailure) {
    guard revision < Pin.firstRevisionWithPreparation, !Pin.Preparation(keys).isDefault else { return }
    throw CommandFailure(
      .unsupported, "the firmware of this board reads \(stream) without other pins or a delay")
  }

  func runs(_ chips: ChipUse) -> [SensorRun] {
    guard !watches.isEmpty else { return [] }
    return watches.compactMap { number, watch in
      let pin = Pin(number: number)
      guard let settings = watch.shared.value else { return nil }
      return SensorRun(
        unit: .pin(number), configure: [.write(pin.pull(settings.pull)), .write(pin.count(settings.edge))],
        start: [pin.watch(true)], stop: [pin.watch(false)])
    } + leftOver
  }

  /// All pins share one subscription.
  var leftOver: [SensorRun] {
    [
      SensorRun(
        unit: .state(module: Pin.change.register.module.rawValue, register: Pin.change.register.number),
        registers: [Pin.change.register])
    ]
  }

  func routes(_ chips: ChipUse) -> [PacketRoute] {
    watches.sorted { $0.key < $1.key }.map { number, watch in
      PacketRoute(
        Pin.change, selector: number, outputs: watch.outputs,
        notice: watch.outputs.isEmpty ? nil : .pin(number))
    } + (watches.isEmpty ? [PacketRoute(Pin.change)] : [])
  }

  func question(
    for stream: StreamDefinition, _ configuration: JSONObject
  ) throws(CommandFailure) -> SensorQuestion? {
    guard let (number, kind) = PinStreams.parse(stream.name), let number = UInt8(exactly: number) else {
      return nil
    }
    let pin = Pin(number: number)
    if kind == .digital || kind == .change {
      let pull = configuration["pull"]?.string.flatMap(Pin.Pull.init(named:))
      return SensorQuestion(
        of: Pin.digital, prepare: pull.map { [pin.pull($0)] } ?? [], arguments: [number], selector: [number])
    }
    try check(configuration, of: stream.name)
    let preparation = Pin.Preparation(configuration)
    return SensorQuestion(
      of: kind == .adc ? Pin.adc : Pin.voltage,
      arguments: pin.analogArguments(preparation, revision: revision),
      // The answer bears the virtual pin's number, where there is one.
      selector: [preparation.virtual ?? number])
  }
}
