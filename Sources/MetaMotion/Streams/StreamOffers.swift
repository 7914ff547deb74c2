import FleetModel

/// The streams this very board can produce: those of the catalogue whose module, chip or channel is there.
struct StreamOffers {
  private let inventory: Inventory

  init(_ inventory: Inventory) { self.inventory = inventory }

  /// In the order of the catalogue, each with what may be chosen (MQTT contract 1.1).
  var streams: [BoardDescription.Stream] {
    StreamCatalogue.all.compactMap { definition in
      offers(of: definition).map { .init(name: definition.name, offers: $0) }
    }
  }

  /// Whether the board can produce the stream of that name.
  func isOffered(_ definition: StreamDefinition) -> Bool { offers(of: definition) != nil }

  private func offers(of definition: StreamDefinition) -> JSONObject? {
    switch BoardStream(definition.name) {
    case .acceleration: acceleration(definition)
    case .temperature(let source): temperature(source)
    case .switch: inventory.has(.switch) ? [:] : nil
    case .battery: inventory.has(.settings, from: Battery.firstRevision) ? [:] : nil
    case .powerStatus: PowerSupply.hasPowerStatus(inventory.modules[.settings]) ? [:] : nil
    case .chargeStatus: PowerSupply.hasChargeStatus(inventory.modules[.settings]) ? [:] : nil
    case nil: nil
    }
  }

  private func acceleration(_ definition: StreamDefinition) -> JSONObject? {
    guard let accelerometer = inventory.accelerometer else { return nil }
    var offers = JSONObject()
    for parameter in definition.ownParameters {
      switch parameter.type {
      case .offered(let values): offers[parameter.name] = .array(values.map(Self.json))
      case .choice(let words):
        let possible = words.filter { $0 != "on" || accelerometer.packedData != nil }
        offers[parameter.name] = .array(possible.map { .string($0) })
      default: break
      }
    }
    return offers
  }

  private func temperature(_ source: Temperature.Source) -> JSONObject? {
    guard inventory.temperature?.channel(of: source) != nil else { return nil }
    switch source {
    case .die, .thermistor: return [:]
    // The channel is listed by boards that lack the barometer, too; without it the value never changes.
    case .bmp280: return inventory.has(.barometer) ? [:] : nil
    case .external:
      guard let pins = inventory.modules[.gpio]?.extra.count, pins > 0 else { return nil }
      let range: JSONValue = ["min": 0, "max": .integer(Int64(pins - 1)), "step": 1]
      return ["data_pin": range, "pulldown_pin": range]
    }
  }

  private static func json(_ value: Double) -> JSONValue {
    if let whole = Int64(exactly: value) { .integer(whole) } else { .number(value) }
  }
}
