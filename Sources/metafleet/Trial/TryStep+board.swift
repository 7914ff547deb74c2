import BoardKit
import FleetModel

// What the board was asked and told on its connection.
extension TryStep {
  /// How a write was verified: what a board was only told is not believed (MQTT API 5).
  private static func words(of evidence: Evidence?) -> String {
    switch evidence {
    case .readback: "read back"
    case .response: "answered"
    case .writeAcknowledged: "acknowledged"
    case .linkWrite, nil: "only sent"
    }
  }

  private static func value(of evidence: Evidence?) -> JSONValue {
    .string((evidence ?? .linkWrite).rawValue)
  }

  private static let repair = "bring the board nearer, then reset it with its button"

  /// What the board is.
  static func information(_ board: BoardDescription) -> TryStep {
    .done(
      .information,
      "\(board.model), firmware \(board.firmwareRevision), hardware \(board.hardwareRevision), "
        + "serial number \(board.serialNumber) (read)",
      [
        "model": .string(board.model), "fw": .string(board.firmwareRevision),
        "hw": .string(board.hardwareRevision), "serial": .string(board.serialNumber),
      ])
  }

  /// What stands in the board's slots; none of it was made by this command.
  static func programs(_ foreign: [String]) -> TryStep {
    .done(
      .programs,
      foreign.isEmpty
        ? "the board holds no loggers, timers, events, processors or macros (read)"
        : "the board holds \(foreign.joined(separator: ", ")) of somebody, which stay as they are (read)",
      ["foreign": .array(foreign.map { .string($0) })])
  }

  /// The battery, in percent and millivolts.
  static func battery(_ values: [Double]) -> TryStep {
    guard values.count == 2, let percent = Int64(exactly: values[0]),
      let millivolts = Int64(exactly: values[1])
    else { return .failed(.battery, "the board answered something else than its battery; \(repair)") }
    let low = percent < 20 ? "; charge it" : ""
    return .done(
      .battery, "\(percent) %, \(rounded(values[1] / 1000, to: 2)) V (read)\(low)",
      ["battery_pct": .integer(percent), "battery_mv": .integer(millivolts)])
  }

  /// The LED's signal and its end; `off` is nil where the end could not be told, because the connection was lost.
  static func led(_ show: CommandOutcome, off: CommandOutcome?) -> TryStep {
    guard case .done(let evidence, _) = show else { return refused(.led, show, "the LED was not lit") }
    guard case .done(let offEvidence, _) = off else {
      return refused(.led, off, "the LED was lit, and may not be off again")
    }
    return .done(
      .led, "three green flashes (\(words(of: evidence))); switched off (\(words(of: offEvidence)))",
      ["evidence": value(of: evidence), "off_evidence": value(of: offEvidence)])
  }

  /// One run of the motor, which ends by itself and which no board reports.
  static func haptic(_ outcome: CommandOutcome, milliseconds: UInt16) -> TryStep {
    guard case .done(let evidence, _) = outcome else {
      return refused(.haptic, outcome, "the motor was not run")
    }
    return .done(
      .haptic,
      "\(milliseconds) ms (\(words(of: evidence)), no board reports it), which end by themselves; "
        + "felt only where a motor is connected to the board",
      ["evidence": value(of: evidence), "pulse_ms": .integer(Int64(milliseconds))])
  }

  /// What was measured while `asked` samples a second were wanted. `stop` tells how the end of it was verified; nil
  /// when the board did not stop.
  static func acceleration(
    _ measured: AccelerationMeasurement, asked: Double, evidence: Evidence, stop: Evidence?
  ) -> TryStep {
    guard let magnitude = measured.magnitude else {
      return .failed(
        .acceleration, "the board was told to measure (\(words(of: evidence))), and no sample came; \(repair)"
      )
    }
    var data: JSONObject = [
      "samples": .integer(Int64(measured.samples)), "asked_hz": .number(asked),
      "magnitude_g": .number(rounded(magnitude, to: 3)), "evidence": value(of: evidence),
    ]
    data["measured_hz"] = measured.rate.map { .number(rounded($0, to: 1)) }
    guard let stop else {
      return .failed(
        .acceleration,
        "\(CountText.of(measured.samples, "sample")) came, and the board did not stop; \(repair)",
        .no, data)
    }
    data["stop_evidence"] = value(of: stop)
    let rate = measured.rate.map { "\(rounded($0, to: 1)) Hz measured" } ?? "too few to measure their rate"
    let isSlow = measured.rate.map { $0 < 0.9 * asked } ?? true
    return .done(
      .acceleration,
      "\(CountText.of(measured.samples, "sample")), \(rate), \(rounded(asked, to: 1)) Hz asked"
        + "\(isSlow ? " (samples are missing: bring the board nearer)" : ""); "
        + "\(rounded(magnitude, to: 3)) g on average, about 1 at rest; "
        + "settings \(words(of: evidence)), stopped (\(words(of: stop)))",
      data)
  }

  /// A question that got no answer, or one that makes no sense.
  static func unanswered(_ kind: Kind, _ message: String) -> TryStep {
    .failed(kind, "\(message); \(repair)")
  }

  /// A command that was not done; what a board does not have is no failure.
  static func refused(_ kind: Kind, _ outcome: CommandOutcome?, _ what: String) -> TryStep {
    switch outcome {
    case .failed(let failure) where failure.code == .unsupported: .leftOut(kind, failure.message)
    case .failed(let failure): unanswered(kind, "\(what): \(failure.message)")
    case .unknown(let message): unanswered(kind, "\(what): \(message)")
    case .done, nil: unanswered(kind, "\(what): the connection was lost")
    }
  }

  private static func rounded(_ value: Double, to places: Int) -> Double {
    let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
    return (value * scale).rounded() / scale
  }
}
