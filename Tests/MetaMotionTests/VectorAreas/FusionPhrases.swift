import BoardKit
import FleetModel

@testable import MetaMotion

/// Modes, outputs and calibration of sensor fusion.
struct FusionPhrases: VectorArea {
  private let board: Inventory
  private let chips: FusionChips?
  private var configuration = SensorFusion.Configuration(
    mode: .sleep, acceleration: .g16, rotation: .dps2000)
  private var outputs: [SensorFusion.Output] = []
  private var blocks: [FusionCalibration.Block] = []

  init(on board: Inventory) {
    self.board = board
    chips = FusionChips(board)
  }

  private static let outputNames: [String: SensorFusion.Output] = [
    "corrected acceleration": .correctedAcceleration,
    "corrected angular velocity": .correctedAngularVelocity,
    "corrected magnetic field": .correctedMagneticField, "quaternion": .quaternion,
    "euler angles": .euler, "gravity": .gravity, "linear acceleration": .linearAcceleration,
  ]

  mutating func perform(_ phrase: String, on stage: inout VectorStage) throws -> Bool {
    if try setUp(phrase) { return true }
    if let subscription = SubscriptionPhrase(phrase), subscription.signal.hasPrefix("fusion ") {
      let output = try NotUnderstood.unless(Self.outputNames[String(subscription.signal.dropFirst(7))])
      outputs = [output]
      return stage.write(subscription.command(output.register))
    }
    if let match = phrase.wholeMatch(of: #/write fusion calibration acc=(\w+) gyro=(\w+) mag=(\w+)/#) {
      let texts = [match.1, match.2, match.3]
      for (sensor, text) in zip(FusionCalibration.Block.Sensor.allCases, texts) {
        let block = try NotUnderstood.unless(FusionCalibration.Block(sensor, bytes(String(text))))
        stage.writes.append(block.command)
      }
      return true
    }
    if let match = phrase.wholeMatch(of: #/write gyro calibration (\w+)/#) {
      let block = try NotUnderstood.unless(FusionCalibration.Block(.gyroscope, bytes(String(match.1))))
      return stage.write(block.command)
    }
    let chips = try NotUnderstood.unless(chips)
    switch phrase {
    case "write fusion config":
      for case .write(let packet) in chips.configure(configuration) { stage.writes.append(packet) }
    case "start fusion":
      stage.writes += chips.start(configuration.mode, outputs: outputs.reduce(0) { $0 | $1.bit })
    case "stop fusion": stage.writes += chips.stop(configuration.mode)
    case "read calibration state": stage.writes.append(SensorFusion.calibrationState.read())
    case "read fusion calibration data":
      stage.writes += FusionCalibration.Block.Sensor.allCases.map { $0.register.read() }
    case "reset fusion orientation": stage.writes.append(SensorFusion.resetOrientation)
    default: return false
    }
    return true
  }

  /// Phrases that only say what is written later.
  private mutating func setUp(_ phrase: String) throws -> Bool {
    if let match = phrase.wholeMatch(
      of: #/.*sensor fusion mode (\w+), accel(?: range)? (\d+) g, gyro(?: range)? (\d+) dps/#)
    {
      configuration.mode = try mode(String(match.1))
      configuration.acceleration = try NotUnderstood.unless(AccelerationRange(rawValue: Int(match.2) ?? 0))
      configuration.rotation = try NotUnderstood.unless(Gyroscope.Range(rawValue: Int(match.3) ?? 0))
      return true
    }
    if let match = phrase.wholeMatch(of: #/set fusion mode (\w+)/#) {
      configuration.mode = try mode(String(match.1))
      return true
    }
    if let match = phrase.wholeMatch(of: #/(\w+) mode(?:, output (.+) enabled)?/#) {
      configuration.mode = try mode(String(match.1))
      if let output = match.2 { outputs = [try NotUnderstood.unless(Self.outputNames[String(output)])] }
      return true
    }
    if let match = phrase.wholeMatch(of: #/set fusion accel range ±(\d+) g/#) {
      configuration.acceleration = try NotUnderstood.unless(AccelerationRange(rawValue: Int(match.1) ?? 0))
      return true
    }
    if let match = phrase.wholeMatch(of: #/set fusion gyro range ±(\d+) dps/#) {
      configuration.rotation = try NotUnderstood.unless(Gyroscope.Range(rawValue: Int(match.1) ?? 0))
      return true
    }
    if let match = phrase.wholeMatch(of: #/enable fusion (.+)/#) {
      outputs.append(try NotUnderstood.unless(Self.outputNames[String(match.1)]))
      return true
    }
    if phrase == "clear enabled fusion outputs" { outputs = [] }
    return phrase == "clear enabled fusion outputs"
      || phrase.wholeMatch(of: #/fusion revision \d|MetaMotion S, magnetometer revision 2:.*/#) != nil
  }

  private func mode(_ name: String) throws -> SensorFusion.Mode {
    try NotUnderstood.unless(SensorFusion.Mode(named: name.lowercased()))
  }

  mutating func hear(_ packet: [UInt8]) throws -> [Heard]? {
    switch packet.prefix(2) {
    case [0x19, 0x8B]:
      let state = try NotUnderstood.unless(FusionCalibration(packet))
      return [
        .value([
          "accelerometer": .integer(Int64(state.acceleration)),
          "gyroscope": .integer(Int64(state.gyroscope)),
          "magnetometer": .integer(Int64(state.magnetometer)),
        ])
      ]
    case [0x19, 0x8C], [0x19, 0x8D], [0x19, 0x8E]:
      let sensor = try NotUnderstood.unless(FusionCalibration.Block.Sensor(rawValue: packet[1] & 0x0F - 0x0C))
      blocks.append(try NotUnderstood.unless(FusionCalibration.Block(sensor, reply: packet)))
      return []
    default:
      guard packet.first == 0x19, let output = outputs.first else { return nil }
      return try board.hear(packet, streaming: output.name)
    }
  }
}
