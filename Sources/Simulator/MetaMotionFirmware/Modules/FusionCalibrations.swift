import FleetModel

/// What the fusion knows of its sensors: ten bytes of each, written by the host or found out while it runs (protocol
/// reference 26.4). No source says how a board finds out; here it takes its time, and ends where the part's errors are.
struct FusionCalibrations: Sendable {
  static let length = 10
  /// Accuracy is the last of five words: x, y, z, radius, accuracy.
  private static let accuracyOffset = 8
  private static let highAccuracy: UInt8 = 3
  /// How far the ends of the three vectors are from the middle.
  private static let radii: [Int16] = [1000, 0, 480]

  private let seed: UInt64
  /// What a read answers, unless more was found out since.
  private var blocks = [[UInt8]](repeating: [UInt8](repeating: 0, count: Self.length), count: 3)
  /// What the host wrote last: every change of the mode loads it anew (protocol reference 26.1).
  private var written: [FusionSensor: [UInt8]] = [:]
  /// Of it, what nothing has loaded yet.
  private var pending: Set<FusionSensor> = []
  /// With what accuracy the fusion begins.
  private var loaded: [FusionSensor: UInt8] = [:]
  private var startedAt = Duration.zero

  init(seed: UInt64) { self.seed = seed }

  mutating func write(_ block: [UInt8], of sensor: FusionSensor) {
    blocks[sensor.rawValue] = block
    written[sensor] = block
    pending.insert(sensor)
  }

  /// The block as it is at `now`; `mode` is that of a fusion that runs.
  func block(of sensor: FusionSensor, in mode: FusionMode?, at now: Duration) -> [UInt8] {
    let (block, reached) = (blocks[sensor.rawValue], accuracy(of: sensor, in: mode, at: now))
    guard !pending.contains(sensor), reached > block[Self.accuracyOffset] else { return block }
    return found(sensor, reached)
  }

  /// Grows while the fusion runs: the gyroscope is calibrated first, the magnetometer last.
  func accuracy(of sensor: FusionSensor, in mode: FusionMode?, at now: Duration) -> UInt8 {
    guard let mode, mode.sensors.contains(sensor) else { return 0 }
    let grown = UInt8(min((now - startedAt) / sensor.timePerAccuracy, Double(Self.highAccuracy)))
    return max(grown, loaded[sensor] ?? 0)
  }

  /// The fusion begins anew, or ends. What was found out until then in `mode` stays.
  mutating func restart(after mode: FusionMode?, at now: Duration) {
    for sensor in FusionSensor.allCases { blocks[sensor.rawValue] = block(of: sensor, in: mode, at: now) }
    startedAt = now
  }

  /// The mode changes to `mode`: what was written takes effect. Returns whether the firmware survives it: a block of
  /// the magnetometer that is not of the highest accuracy makes it crash.
  mutating func load(for mode: FusionMode) -> Bool {
    loaded = [:]
    for sensor in mode.sensors {
      guard let block = written[sensor], block.contains(where: { $0 != 0 }) else { continue }
      let accuracy = block[Self.accuracyOffset]
      if sensor == .magnetometer, accuracy < Self.highAccuracy { return false }
      loaded[sensor] = min(accuracy, Self.highAccuracy)
      blocks[sensor.rawValue] = block
      pending.remove(sensor)
    }
    return true
  }

  private func found(_ sensor: FusionSensor, _ accuracy: UInt8) -> [UInt8] {
    var random = SeededGenerator(seed: seed &+ UInt64(sensor.rawValue))
    let offsets = (0..<3).map { _ in Int16.random(in: -60...60, using: &random) }
    return (offsets + [Self.radii[sensor.rawValue], Int16(accuracy)]).flatMap(\.littleEndianBytes)
  }
}
