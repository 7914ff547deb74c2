/// A module of the board with sensors, and all that the driver knows of it, in one folder. Whoever leaves something out
/// is told by the compiler.
protocol SensorModule: Sendable {
  /// What its sensors yield on a board with this chip; while the chip is not known, what all have.
  static func signals(on chip: Accelerometer.Chip?) -> [SensorSignal]
  /// Who takes its streams on.
  static var sources: [any StreamSource.Type] { get }
  /// How its settings are read back; nil for a module without, or one that the board lacks.
  static func settings(on board: Inventory) -> SensorSettings?
  /// Its registers in words, but for those of the signals that need no more words than they say themselves.
  static func meanings(_ context: PacketContext) -> [RegisterMeaning]
  /// How the board can be asked whether it measures, whoever started it; nil where it cannot be asked, or nothing
  /// starts it.
  static var activity: SensorRun.Proof? { get }
  /// Where its detectors tell what they noticed, by the catalogue's names.
  static func detectors(on chip: Accelerometer.Chip?) -> [String: Register]
}

extension SensorModule {
  static var activity: SensorRun.Proof? { nil }

  static func detectors(on chip: Accelerometer.Chip?) -> [String: Register] { [:] }
}

/// The modules with sensors, taken together.
enum SensorModules {
  static let all: [any SensorModule.Type] = Module.allCases.compactMap { $0.sensor }

  /// All signals on a board with this chip.
  static func signals(on chip: Accelerometer.Chip?) -> [SensorSignal] { all.flatMap { $0.signals(on: chip) } }

  /// The signal that comes out at `address` on a board with this chip; nil for one that is not known.
  static func signal(at address: SignalAddress, on chip: Accelerometer.Chip?) -> SensorSignal? {
    signals(on: chip).first { $0.register == address.register }
  }

  /// The signal of that canonical name; nil for one that is not known.
  static func signal(named name: String, on chip: Accelerometer.Chip?) -> SensorSignal? {
    signals(on: chip).first { $0.name == name }
  }

  /// The register in which `detector` tells; nil where the chip has no such detector. Several may share one: what waits
  /// for one then hears the others as well, as far as they run.
  static func register(of detector: String, on chip: Accelerometer.Chip?) -> Register? {
    all.lazy.compactMap { $0.detectors(on: chip)[detector] }.first
  }

  /// Every full scale that can be set, once.
  static let ranges: [SensorRange] = Accelerometer.Chip.allCases.flatMap { signals(on: $0) }.reduce(into: [])
  {
    known, signal in
    guard case .ranged(let range) = signal.values.scale,
      !known.contains(where: { $0.settings == range.settings })
    else { return }
    known.append(range)
  }

  /// Registers whose notifications a 0 ends, and which carry a stream or a detector and nothing else, on any chip.
  static let streaming = Set(
    Accelerometer.Chip.allCases.flatMap { chip in
      signals(on: chip).flatMap(\.notified) + all.flatMap { $0.detectors(on: chip).values }
    })
}
