import FleetModel

/// How well fusion knows its sensors, as a stream that is read (protocol reference, section 26.4).
struct FusionCalibrationSource: PolledSource {
  static let state = SensorSignal(
    name: "fusion-calibration", stream: "fusion-calibration", title: "calibration",
    register: SensorFusion.calibrationState, access: .read,
    values: .init(
      number: .uint8, labels: ["acceleration", "gyroscope", "magnetometer"], words: FusionMeanings.accuracies)
  )

  init?(on board: Inventory) {
    guard board.has(.sensorFusion, from: SensorFusion.firstRevisionWithState) else { return nil }
  }

  func offers(for stream: StreamDefinition) -> JSONObject? { stream.name == Self.state.stream ? [:] : nil }

  func question(
    for stream: StreamDefinition, _ configuration: JSONObject
  ) throws(CommandFailure) -> SensorQuestion? { SensorQuestion(of: Self.state) }
}
