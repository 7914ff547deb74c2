import FleetModel

/// Length and clock of the board's log as streams that are read (protocol reference, section 16.1).
struct LogStateSource: PolledSource {
  static let length = SensorSignal(
    name: "log-length", stream: "log-length", title: "log length", register: LogClock.length, access: .read,
    values: .init(number: .uint32, labels: ["entries"]))
  static let time = SensorSignal(
    name: "log-time", stream: "log-time", title: "log clock", register: LogClock.now, access: .read,
    values: .init(number: .uint32, labels: ["tick"]), further: .init(number: .uint8, labels: ["reset"]))

  init?(on board: Inventory) {
    guard board.has(.logging) else { return nil }
  }

  private func signal(of stream: StreamDefinition) -> SensorSignal? {
    [Self.length, Self.time].first { $0.stream == stream.name }
  }

  func offers(for stream: StreamDefinition) -> JSONObject? { signal(of: stream).map { _ in [:] } }

  func question(
    for stream: StreamDefinition, _ configuration: JSONObject
  ) throws(CommandFailure) -> SensorQuestion? {
    guard let signal = signal(of: stream) else { return nil }
    var question = SensorQuestion(of: signal)
    // Some firmware answers in two bytes.
    if signal.register == LogClock.length {
      question.values = { reply in LogClock.length(reply).map { [Double($0)] } }
    }
    return question
  }
}
