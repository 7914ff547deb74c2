import BoardKit
import FleetModel

/// What wanted streams mean for this board: what it must run, how its packets are read, what cannot be had.
struct StreamSelection {
  /// What the board shall run.
  private(set) var setup = BoardSetup()
  /// How its packets are read then.
  private(set) var decoder: PacketDecoder
  /// The streams that will run, with the values the board uses.
  private(set) var active: [ActiveStream] = []
  /// What cannot be had, and why.
  private(set) var refused: [StreamKey: CommandFailure] = [:]

  private let inventory: Inventory

  /// Judges streams in the order of their keys: where a vector and its components disagree, the first one counts.
  init(_ streams: [StreamKey: StreamRequest], button: Bool, on inventory: Inventory) {
    self.inventory = inventory
    decoder = PacketDecoder(accelerometer: inventory.accelerometer)
    for (key, request) in streams.sorted(by: { $0.key.index < $1.key.index }) {
      do {
        try add(key, request)
      } catch {
        refused[key] = error
      }
    }
    if button, inventory.has(.switch) {
      setup.subscriptions.insert(Switch.state)
      decoder.reportsButton = true
    }
  }

  private mutating func add(_ key: StreamKey, _ request: StreamRequest) throws(CommandFailure) {
    guard let (definition, component) = StreamCatalogue.find(request.name),
      let stream = BoardStream(definition.name), StreamOffers(inventory).isOffered(definition)
    else { throw unsupported(request.name) }
    var request = request
    request.configuration = try definition.configure(request.configuration).values
    if let every = request.configuration["every"]?.string {
      let period = DurationText.parse(every)
      active.append(ActiveStream(key: key, request: request, period: period, isPolled: true))
      return
    }
    switch stream {
    case .acceleration: try addAcceleration(key, request, component: component)
    case .switch: addFlag(key, request, Switch.state, \.switchStream)
    case .powerStatus: addFlag(key, request, PowerSupply.powerStatus, \.powerStream)
    case .chargeStatus: addFlag(key, request, PowerSupply.chargeStatus, \.chargeStream)
    case .battery, .temperature: throw .invalid("\(request.name) is read by polling and needs \"every\"")
    }
  }

  private mutating func addFlag(
    _ key: StreamKey, _ request: StreamRequest, _ register: Register,
    _ output: WritableKeyPath<PacketDecoder, StreamKey?>
  ) {
    setup.subscriptions.insert(register)
    decoder[keyPath: output] = key
    active.append(ActiveStream(key: key, request: request, period: nil, isPolled: false))
  }

  private mutating func addAcceleration(
    _ key: StreamKey, _ request: StreamRequest, component: Int?
  ) throws(CommandFailure) {
    var request = request
    let wanted = try acceleration(request)
    if let shared = setup.acceleration, shared != wanted {
      throw .invalid(
        """
        \(request.name) must be configured like the other acceleration streams of this board: \
        \(ParameterType.plain(shared.configuration.rate.hertz)) Hz, \(shared.configuration.range.rawValue) g, \
        packed \(shared.isPacked ? "on" : "off")
        """)
    }
    setup.acceleration = wanted
    let period = wanted.configuration.rate.period
    var outputs = decoder.acceleration?.outputs ?? .init()
    outputs.add(key, component: component)
    decoder.acceleration = .init(
      isPacked: wanted.isPacked, scale: 1 / wanted.configuration.range.countsPerG,
      period: period.wholeNanoseconds, outputs: outputs)
    request.configuration["packed"] = .string(wanted.isPacked ? "on" : "off")
    active.append(ActiveStream(key: key, request: request, period: period, isPolled: false))
  }

  private func acceleration(_ request: StreamRequest) throws(CommandFailure) -> BoardSetup.Acceleration {
    let keys = request.configuration
    guard let accelerometer = inventory.accelerometer else { throw unsupported(request.name) }
    guard let rate = keys["rate_hz"]?.number, let range = keys["range_g"]?.number,
      let configuration = AccelerationConfiguration(rateHz: rate, rangeG: range)
    else { throw .invalid("\(request.name) needs a rate_hz and a range_g that it offers") }
    let canPack = accelerometer.packedData != nil
    let isPacked: Bool
    switch keys["packed"]?.string {
    case "on":
      guard canPack else {
        throw CommandFailure(
          .unsupported,
          "the firmware of this board cannot pack acceleration; leave packed out or set it to off")
      }
      isPacked = true
    case "off": isPacked = false
    // A packet waits for three samples: below 12.5 Hz that delays the first by more than 160 ms for little gain.
    default: isPacked = canPack && !configuration.rate.isBelowFilter
    }
    return .init(configuration: configuration, isPacked: isPacked)
  }

  private func unsupported(_ name: String) -> CommandFailure {
    let offered = inventory.description.streams.map(\.name).joined(separator: ", ")
    return CommandFailure(
      .unsupported, "this \(inventory.model.rawValue) has no stream \(name); it offers \(offered)")
  }
}
