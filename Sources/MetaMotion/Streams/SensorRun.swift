import FleetModel

/// One thing to do on a board's way to a setup.
enum BoardStep: Hashable, Sendable {
  case write([UInt8])
  /// Lets the board come to rest.
  case pause(Duration)
}

/// Something on the board that is configured, started and stopped as one, as it shall run: the bytes themselves, so
/// that two runs are the same exactly when the same is written to the board.
struct SensorRun: Hashable, Sendable {
  /// What runs. The order of the cases is the order of starting; they are stopped in reverse.
  enum Unit: Hashable, Comparable, Sendable {
    /// The output of a processor, by its slot: it is listened to before its sensor begins.
    case processor(UInt8)
    /// The ticks of a timer, by its slot.
    case timer(UInt8)
    case accelerometer, gyroscope, magnetometer, fusion
    /// A sensor that nothing else rests on, by its module.
    case sensor(Module)
    /// A part of the accelerometer's chip that notices something, by its enabling register and bits.
    case detector(register: UInt8, bits: UInt8)
    case magneticAlarm
    case pin(UInt8)
    /// A register that tells by itself, once it is asked to.
    case state(module: UInt8, register: UInt8)

    /// In words, for messages.
    var name: String {
      switch self {
      case .processor(let slot): "output of processor \(slot)"
      case .timer(let slot): "notification of timer \(slot)"
      case .accelerometer: "accelerometer"
      case .gyroscope: "gyroscope"
      case .magnetometer: "magnetometer"
      case .fusion: "sensor fusion"
      case .sensor(.ambientLight): "light sensor"
      case .sensor(let module): module.name
      case .detector: "detector"
      case .magneticAlarm: "magnetic alarm"
      case .pin(let pin): "watch of pin \(pin)"
      case .state: "notification"
      }
    }
  }

  /// How the board can be asked whether the unit runs: a register whose answer has one of these bits.
  struct Proof: Hashable, Sendable {
    var register: Register
    var bits: UInt8 = 1

    /// Whether an answer says that it runs; nil when it cannot be read.
    func isRunning(_ reply: [UInt8]) -> Bool? { reply.count > 2 ? reply[2] & bits != 0 : nil }
  }

  /// Samples that come when somebody listens.
  struct SampleProof: Hashable, Sendable {
    var register: Register
    /// Time from one to the next.
    var period: Duration

    /// How long is waited for one.
    var timeout: Duration { max(.seconds(1), period * 3) }
  }

  let unit: Unit
  /// What must be set before anything is subscribed.
  var configure: [BoardStep] = []
  /// Registers that deliver.
  var registers: [Register] = []
  var start: [[UInt8]] = []
  var stop: [[UInt8]] = []
  var proof: Proof?
  /// Where the chips that it uses tell that they have power.
  var power: [ReadBack] = []
  /// What proves that all of it runs where a chip does not tell its power; nil where nothing has to be proved so.
  var sample: SampleProof?
  /// What must run for this one to, and with which it is begun anew.
  var base: Unit?
  /// How long the board rests after the stop, before anything is started.
  var rest = Duration.zero
}

extension SensorRun {
  /// No more than its end, unproved.
  var stopOnly: SensorRun { SensorRun(unit: unit, stop: stop, rest: rest) }

  /// The same, but of its registers only those whose packets somebody wants.
  func subscribing(only wanted: Set<UInt16>) -> SensorRun {
    var run = self
    run.registers = registers.filter { wanted.contains($0.notificationHeader) }
    return run
  }
}

/// What the board produces by itself for us: the part of its state that plans compare.
struct RunningSensors: Hashable, Sendable {
  private(set) var runs: [SensorRun.Unit: SensorRun] = [:]

  /// Takes in what another setup runs.
  mutating func formUnion(_ other: RunningSensors) { runs.merge(other.runs) { _, new in new } }

  /// Forgets who listened to slots that hold something else by now.
  mutating func forget(_ units: Set<SensorRun.Unit>) { for unit in units { runs[unit] = nil } }

  init(_ runs: [SensorRun] = []) {
    self.runs = Dictionary(runs.map { ($0.unit, $0) }, uniquingKeysWith: { _, last in last })
  }

  /// Its units and the chips that they use.
  var units: Set<SensorRun.Unit> { runs.values.reduce(into: Set(runs.keys)) { $0.formUnion($1.chips) } }

  /// What has to be ours for this setup: its units, and sensor fusion where one of its chips is used otherwise.
  var claimed: Set<SensorRun.Unit> {
    var units = units
    if !units.isDisjoint(with: [.accelerometer, .gyroscope, .magnetometer]) { units.insert(.fusion) }
    return units
  }

  /// In the order of starting.
  var ordered: [SensorRun] { runs.values.sorted { $0.unit < $1.unit } }

  /// All registers whose changes are sent.
  var registers: Set<Register> { Set(runs.values.flatMap(\.registers)) }
}
