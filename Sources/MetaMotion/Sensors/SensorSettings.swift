import FleetModel

/// How a sensor's settings are read back, and what they mean in the keys of the catalogue.
struct SensorSettings: Sendable {
  /// Asked in this order.
  let registers: [Register]
  private let meaning: @Sendable ([[UInt8]]) -> JSONObject

  /// Nil for a module without settings, or one that the board lacks.
  init?(_ module: Module, of board: Inventory) {
    switch module {
    case .accelerometer:
      guard let chip = board.accelerometer else { return nil }
      self.init([Accelerometer.settings]) { payloads in
        guard let settings = chip.configuration(in: payloads[0]) else { return [:] }
        return [
          "rate_hz": Self.json(settings.rate.hertz), "range_g": .integer(Int64(settings.range.rawValue)),
        ]
      }
    case .gyroscope:
      guard Gyroscope(board.modules[.gyroscope]) != nil else { return nil }
      self.init([Gyroscope.settings]) { payloads in
        guard let settings = Gyroscope.Configuration(payloads[0]) else { return [:] }
        return ["rate_hz": Self.json(settings.hertz), "range_dps": .integer(Int64(settings.range.rawValue))]
      }
    case .magnetometer:
      guard board.has(.magnetometer) else { return nil }
      self.init([Magnetometer.repetitions, Magnetometer.rate]) { payloads in
        guard let settings = Magnetometer.Configuration(repetitions: payloads[0], rate: payloads[1]) else {
          return [:]
        }
        return [
          "rate_hz": Self.json(settings.hertz), "xy_reps": .integer(Int64(settings.repetitionsXY)),
          "z_reps": .integer(Int64(settings.repetitionsZ)),
        ]
      }
    case .barometer:
      guard let barometer = Barometer(board.modules[.barometer]) else { return nil }
      self.init([Barometer.settings]) { barometer.keys(in: $0[0]) }
    case .ambientLight:
      guard board.has(.ambientLight) else { return nil }
      self.init([AmbientLight.settings]) { payloads in
        guard let settings = AmbientLight.Configuration(payloads[0]) else { return [:] }
        return [
          "gain": Self.json(settings.gain), "integration_ms": Self.json(settings.integration),
          "period_ms": Self.json(settings.period),
        ]
      }
    case .sensorFusion:
      guard board.has(.sensorFusion) else { return nil }
      self.init([SensorFusion.mode]) { payloads in
        guard let settings = SensorFusion.Configuration(payload: payloads[0]) else { return [:] }
        return [
          "mode": .string(settings.mode.name), "range_g": .integer(Int64(settings.acceleration.rawValue)),
          "range_dps": .integer(Int64(settings.rotation.rawValue)),
        ]
      }
    default: return nil
    }
  }

  private init(_ registers: [Register], meaning: @escaping @Sendable ([[UInt8]]) -> JSONObject) {
    self.registers = registers
    self.meaning = meaning
  }

  /// What the answers say, as far as hosts write it; one answer per register.
  func keys(in replies: [[UInt8]]) -> JSONObject {
    guard replies.count == registers.count else { return [:] }
    return meaning(replies.map { Array($0.dropFirst(2)) })
  }

  private static func json(_ value: Double) -> JSONValue {
    Int64(exactly: value).map { .integer($0) } ?? .number(value)
  }
}

extension Barometer {
  /// The settings in two bytes, in the keys of the catalogue; empty when no host writes them.
  fileprivate func keys(in payload: [UInt8]) -> JSONObject {
    guard let settings = Configuration(payload),
      Configuration.oversamplings.indices.contains(Int(settings.oversampling) - 1),
      Configuration.filters.indices.contains(Int(settings.filter))
    else { return [:] }
    let standby = chip.standbyTimes[Int(settings.standby)]
    return [
      "oversampling": .string(Configuration.oversamplings[Int(settings.oversampling) - 1]),
      "filter": .integer(Int64(Configuration.filters[Int(settings.filter)])),
      "standby_ms": Int64(exactly: standby).map { .integer($0) } ?? .number(standby),
    ]
  }
}
