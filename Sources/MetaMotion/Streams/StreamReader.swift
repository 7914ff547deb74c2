import BoardKit
import FleetModel

/// Reads the streams that boards tell on demand: polls and the `read` command share it.
struct StreamReader {
  let exchange: Exchange
  let inventory: Inventory

  /// Time from starting the barometer to its first value: conversion takes at most 44 ms (section 21).
  private static let barometerWarmUp = Duration.milliseconds(100)

  /// Reads a stream of the catalogue once: one value per field, or the one of a component.
  func read(_ request: StreamRequest) async throws(CommandFailure) -> [Double] {
    guard let (definition, component) = StreamCatalogue.find(request.name), definition.isReadable,
      let stream = BoardStream(definition.name), StreamOffers(inventory).isOffered(definition)
    else {
      throw CommandFailure(.unsupported, "this \(inventory.model.rawValue) cannot read \(request.name)")
    }
    let values: [Double]
    do {
      values = try await self.values(of: stream, configured: request.configuration)
    } catch {
      throw CommandFailure(error)
    }
    guard let component else { return values }
    return values.indices.contains(component) ? [values[component]] : []
  }

  /// Degrees Celsius of a channel as it is.
  func temperature(channel: UInt8) async throws(ProtocolFailure) -> Double {
    let reply = try await exchange.ask(Temperature.value, channel)
    guard let celsius = Temperature.celsius(reply) else { throw .unreadable(reply, as: "a temperature") }
    return celsius
  }

  private func values(
    of stream: BoardStream, configured configuration: JSONObject
  ) async throws(ProtocolFailure) -> [Double] {
    switch stream {
    case .acceleration: throw .unexpected("acceleration has no register that could be read once")
    case .temperature(let source): return [try await temperature(source, configured: configuration)]
    case .switch: return [try await flag(Switch.state, Switch.isPressed)]
    case .powerStatus: return [try await flag(PowerSupply.powerStatus, PowerSupply.flag)]
    case .chargeStatus: return [try await flag(PowerSupply.chargeStatus, PowerSupply.flag)]
    case .battery:
      let reply = try await exchange.ask(Battery.state)
      guard let battery = Battery(reply) else { throw .unreadable(reply, as: "the battery state") }
      return [Double(battery.percent), Double(battery.millivolts)]
    }
  }

  private func flag(
    _ register: Register, _ decode: ([UInt8]) -> Bool?
  ) async throws(ProtocolFailure) -> Double {
    let reply = try await exchange.ask(register)
    guard let isSet = decode(reply) else { throw .unreadable(reply, as: "a flag") }
    return isSet ? 1 : 0
  }

  /// Degrees Celsius at `source`, which is made ready first where it needs that.
  private func temperature(
    _ source: Temperature.Source, configured configuration: JSONObject
  ) async throws(ProtocolFailure) -> Double {
    guard let channel = inventory.temperature?.channel(of: source) else {
      throw .unexpected("this \(inventory.model.rawValue) lists no temperature channel for \(source.name)")
    }
    switch source {
    case .die, .thermistor: break
    case .external:
      if let thermistor = Self.thermistor(configuration) {
        try await exchange.tell(Temperature.configure(thermistor, channel: channel))
      }
    case .bmp280: return try await temperatureOfBarometer(channel)
    }
    return try await temperature(channel: channel)
  }

  /// The BMP280 repeats its last value unless it samples. Somebody else's sampling is left alone: only a barometer
  /// that said it was off is switched off again.
  private func temperatureOfBarometer(_ channel: UInt8) async throws(ProtocolFailure) -> Double {
    let wasSampling = try await exchange.probe(Barometer.sampling).flatMap(Barometer.isSampling)
    if wasSampling != true {
      try await exchange.tell(Barometer.start)
      try await exchange.wait(for: Self.barometerWarmUp)
    }
    let celsius = try await temperature(channel: channel)
    if wasSampling == false { try await exchange.tell(Barometer.stop) }
    return celsius
  }

  private static func thermistor(_ configuration: JSONObject) -> Temperature.Thermistor? {
    guard let data = configuration["data_pin"]?.integer.flatMap({ UInt8(exactly: $0) }),
      let pulldown = configuration["pulldown_pin"]?.integer.flatMap({ UInt8(exactly: $0) })
    else { return nil }
    return .init(
      dataPin: data, pulldownPin: pulldown, isActiveHigh: configuration["active_high"]?.bool ?? false)
  }
}
