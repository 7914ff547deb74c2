import BoardKit
import FleetModel

/// Calibrates, shifts and turns what sensors measure, and reads back whether it was told right (MQTT contract 3.9).
struct SensorControl {
  let exchange: Exchange
  let inventory: Inventory
  /// The board thins its samples out by now.
  let tookDownsampling: (Downsampling) -> Void

  func perform(_ command: SensorCommand) async throws(ProtocolFailure) -> CommandOutcome {
    switch command {
    case .resetOrientation:
      guard inventory.has(.sensorFusion, from: SensorFusion.firstRevisionWithReset) else {
        return unsupported("reset the orientation")
      }
      try await exchange.write(SensorFusion.resetOrientation)
      return Self.done(.linkWrite, [:])
    case .calibrate(let blocks): return try await calibrate(blocks)
    case .resetSteps: return try await resetSteps()
    case .shift(let sensor, let x, let y, let z, let isOn):
      return try await shift(sensor, (x, y, z), isOn: isOn)
    case .axes(let word):
      guard let order = AxisOrder(word) else {
        return .failed(
          .invalid("order \(word) must name x, y and z once each, with - before what is inverted"))
      }
      guard inventory.accelerometer?.chip == .bmi270 else { return unsupported("turn its axes") }
      return try await write(
        order.command, provedBy: BMI270Features.block, 0, effective: ["order": .string(order.word)])
    case .downsample(let acceleration, let gyroscope):
      guard inventory.accelerometer?.chip == .bmi270 else { return unsupported("downsample") }
      var wanted = Downsampling(
        acceleration: UInt8(clamping: acceleration), gyroscope: UInt8(clamping: gyroscope))
      wanted.keepFilters(of: try await exchange.probe(BMI270Features.downsampling))
      let outcome = try await write(
        wanted.command, provedBy: BMI270Features.downsampling,
        effective: [
          "acceleration": .integer(Int64(acceleration)), "gyroscope": .integer(Int64(gyroscope)),
        ])
      tookDownsampling(wanted)
      return outcome
    }
  }

  /// The board loads what it is given when the mode changes next, and crashes of a magnetometer's block that is not
  /// fully calibrated: such a block never leaves (trap T70).
  private func calibrate(
    _ blocks: [SensorCommand.Calibrated: [UInt8]]
  ) async throws(ProtocolFailure) -> CommandOutcome {
    guard inventory.has(.sensorFusion, from: SensorFusion.firstRevisionWithData) else {
      return unsupported("take calibration data")
    }
    let wanted = SensorCommand.Calibrated.allCases.compactMap { sensor in
      blocks[sensor].flatMap { FusionCalibration.Block(.init(sensor), $0) }
    }
    if let unsafe = wanted.first(where: { !$0.isSafe }) {
      return .failed(
        .invalid(
          """
          \(unsafe.sensor.key) has accuracy \(unsafe.accuracy); a magnetometer's below 3 crashes the board when it is \
          loaded, and is not written
          """))
    }
    var effective = JSONObject()
    var isProved = true
    for block in wanted {
      try await exchange.write(block.command)
      let reply = try await exchange.probe(block.sensor.register)
      let onBoard = reply.flatMap { FusionCalibration.Block(block.sensor, reply: $0) }
      if let onBoard, onBoard != block {
        throw .unexpected("the board holds \(onBoard.bytes.hex) instead of \(block.bytes.hex)")
      }
      isProved = isProved && onBoard != nil
      effective[block.sensor.key] = .string(block.bytes.hex)
    }
    return Self.done(isProved ? .readback : .linkWrite, effective)
  }

  private func resetSteps() async throws(ProtocolFailure) -> CommandOutcome {
    switch inventory.accelerometer?.chip {
    case .bmi160:
      try await exchange.write(BMI160Detectors.stepReset)
    case .bmi270:
      // The bit shares its block with the watermark, which stays as it is.
      let reply = try await exchange.probe(BMI270Features.block, BMI270Features.watermarkBlock)
      let level = reply.flatMap { $0.number(at: 5, as: UInt16.self) } ?? 0
      try await exchange.write(BMI270Features.watermark(level, resets: true))
    case nil: return unsupported("count steps")
    }
    return Self.done(.linkWrite, [:])
  }

  private func shift(
    _ sensor: SensorCommand.Shifted, _ values: (x: Double, y: Double, z: Double), isOn: Bool
  ) async throws(ProtocolFailure) -> CommandOutcome {
    guard let chip = inventory.accelerometer?.chip,
      sensor == .acceleration || Gyroscope(inventory.modules[.gyroscope]) != nil
    else { return unsupported("shift \(sensor.rawValue)") }
    let offsets = SensorOffsets(sensor: sensor, chip: chip)
    guard let x = offsets.steps(values.x), let y = offsets.steps(values.y), let z = offsets.steps(values.z)
    else {
      return .failed(.invalid("the chip cannot shift \(sensor.rawValue) so far"))
    }
    let reply = try await exchange.ask(offsets.register)
    let bytes = offsets.bytes(x: x, y: y, z: z, isOn: isOn, onBoard: Array(reply.dropFirst(2)))
    func value(_ steps: Int) -> JSONValue { .number((Double(steps) * offsets.step * 1e6).rounded() / 1e6) }
    return try await write(
      offsets.register.write(bytes), provedBy: offsets.register,
      effective: ["x": value(x), "y": value(y), "z": value(z), "enabled": .bool(isOn)])
  }

  /// Writes, and compares what a read of the register answers, where the board answers.
  private func write(
    _ command: [UInt8], provedBy register: Register, _ selector: UInt8? = nil, effective: JSONObject
  ) async throws(ProtocolFailure) -> CommandOutcome {
    try await exchange.write(command)
    let reply: [UInt8]? =
      if let selector {
        try await exchange.probe(register, selector)
      } else { try await exchange.probe(register) }
    guard let reply else { return Self.done(.linkWrite, effective) }
    let onBoard = Array(reply.dropFirst(2).prefix(command.count - 2))
    guard onBoard == Array(command.dropFirst(2)) else {
      throw .unexpected("the board holds \(onBoard.hex) instead of \(Array(command.dropFirst(2)).hex)")
    }
    return Self.done(.readback, effective)
  }

  private static func done(_ evidence: Evidence, _ effective: JSONObject) -> CommandOutcome {
    .done(evidence: evidence, data: ["effective": .object(effective)])
  }

  private func unsupported(_ what: String) -> CommandOutcome {
    .failed(CommandFailure(.unsupported, "this \(inventory.model.rawValue) cannot \(what)"))
  }
}

extension FusionCalibration.Block.Sensor {
  fileprivate init(_ sensor: SensorCommand.Calibrated) {
    switch sensor {
    case .acceleration: self = .acceleration
    case .gyroscope: self = .gyroscope
    case .magnetometer: self = .magnetometer
    }
  }
}
