import FleetModel

/// Who uses the chips that several sensors share. Sensor fusion owns those it needs: raw streams of them cannot run
/// beside it, and what the accelerometer's chip notices goes by fusion's rate and range (MQTT contract 2.2, 2.4).
struct ChipUse: Hashable, Sendable {
  private struct User: Hashable, Sendable {
    var stream: String
    var isFusion: Bool
  }

  private var users: [Module: User] = [:]
  /// How the accelerometer runs for a stream of samples; nil while it does not.
  var acceleration: AccelerationConfiguration?
  /// Whether something rests on the accelerometer, or the magnetometer, although nobody wants samples.
  var needsAccelerometer = false
  var needsMagnetometer = false

  /// Takes chips for a stream, whole or not at all.
  mutating func claim(_ modules: [Module], for stream: String, isFusion: Bool) throws(CommandFailure) {
    for module in modules {
      guard let user = users[module], user.isFusion != isFusion else { continue }
      let fusion = isFusion ? stream : user.stream
      throw .invalid(
        """
        \(stream) cannot run together with \(user.stream): while \(fusion) runs, sensor fusion owns the \
        \(module.name); take its corrected streams, or stop \(user.stream)
        """)
    }
    for module in modules where users[module] == nil {
      users[module] = User(stream: stream, isFusion: isFusion)
    }
  }

  /// Whether fusion runs this chip.
  func isFused(_ module: Module) -> Bool { users[module]?.isFusion == true }

  /// What detectors go by: 100 Hz and 4 g unless a stream decided otherwise.
  var motion: AccelerationConfiguration { acceleration ?? .standardForDetectors }

  /// What runs the accelerometer for detectors.
  var motionUnit: SensorRun.Unit { isFused(.accelerometer) ? .fusion : .accelerometer }
}

/// The settings that all streams of one sensor share: the first stream decides, others must agree.
struct SharedSettings<Value: Hashable & Sendable>: Sendable {
  private(set) var value: Value?

  /// Takes what is wanted for one more stream. `joining` says what suits both it and what is there; without, only the
  /// same does.
  mutating func agree(
    on wanted: Value, for stream: String, sensor: String,
    joining: (Value, Value) -> Value? = { $0 == $1 ? $0 : nil }, words: (Value) -> String
  ) throws(CommandFailure) {
    guard let present = value else {
      value = wanted
      return
    }
    guard let joint = joining(present, wanted) else {
      throw .invalid(
        "\(stream) must be configured like the other \(sensor) streams of this board: \(words(present))")
    }
    value = joint
  }
}
