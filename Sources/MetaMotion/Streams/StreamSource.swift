import BoardKit
import FleetModel

/// A sensor of one board and the streams that are taken from it: what it offers, what the board must run for it, how
/// its packets are read, and how a value is read once. Its module names it (`SensorModule`).
protocol StreamSource: Sendable {
  /// Nil where the board lacks the sensor.
  init?(on board: Inventory)

  /// What may be chosen about a stream, by key (MQTT contract 1.1); nil when it is none of this sensor's on this board.
  func offers(for stream: StreamDefinition) -> JSONObject?

  /// Takes on a stream that is offered, or says why that cannot be.
  mutating func take(_ order: StreamOrder, _ chips: inout ChipUse) throws(CommandFailure) -> StreamTaken

  /// What the board must run for the streams taken on, once all have been.
  func runs(_ chips: ChipUse) -> [SensorRun]

  /// All that may run on the board because of this sensor, with every register it may deliver in.
  var leftOver: [SensorRun] { get }

  /// How packets of its registers are read, whether or not anybody wants them.
  func routes(_ chips: ChipUse) -> [PacketRoute]

  /// A stream's configuration as the board holds it, from answers to reads of its registers; nil where they say nothing
  /// that is known. For boards that hold something else than was written.
  func onBoard(_ configuration: JSONObject, _ replies: [Register: [UInt8]]) -> JSONObject?

  /// How one value of an offered stream is read; nil when it cannot be. Throws for a wrong configuration.
  func question(
    for stream: StreamDefinition, _ configuration: JSONObject
  ) throws(CommandFailure) -> SensorQuestion?
}

extension StreamSource {
  func onBoard(_ configuration: JSONObject, _ replies: [Register: [UInt8]]) -> JSONObject? { nil }

  func question(
    for stream: StreamDefinition, _ configuration: JSONObject
  ) throws(CommandFailure) -> SensorQuestion? { nil }
}

/// One stream that somebody wants, its configuration checked against the catalogue and complete.
struct StreamOrder: Sendable {
  /// Who takes the samples; nil where it only has to run, for the board's own processors.
  let key: StreamKey?
  /// As asked, perhaps a component of `definition`.
  let name: String
  /// Who on the board takes it; nil where the samples come to the host.
  var consumer: BoardConsumer?
  let definition: StreamDefinition
  let component: Int?
  let configuration: JSONObject

  /// What it is called where two orders exclude each other.
  var title: String { consumer?.chain.map { "\(name) of the chain \($0)" } ?? name }

  /// When it is polled; nil when it is not.
  var readRule: ScheduleRule? { StreamRequest(name: name, configuration: configuration).readRule }

  /// How it is had when it is polled; nil when it is not.
  var polled: StreamTaken? {
    guard let rule = readRule else { return nil }
    return StreamTaken(configuration, period: rule.interval, isPolled: true)
  }
}

/// How a stream that was taken on will run.
struct StreamTaken: Sendable {
  /// The values the board uses.
  var configuration: JSONObject
  /// Time between two samples; nil for streams that come when something happens.
  var period: Duration?
  var isPolled: Bool
  /// Whether the period is kept exactly, so that missing samples can be counted by it.
  var isRegular: Bool
  /// Whether the board may stay silent although all is well.
  var mayBeSilent: Bool
  /// What must run for it; nil for what the gateway polls.
  var unit: SensorRun.Unit?

  init(
    _ configuration: JSONObject, period: Duration? = nil, isPolled: Bool = false, isRegular: Bool = true,
    mayBeSilent: Bool = false, unit: SensorRun.Unit? = nil
  ) {
    self.configuration = configuration
    self.period = period
    self.isPolled = isPolled
    self.isRegular = isRegular
    self.mayBeSilent = mayBeSilent
    self.unit = unit
  }
}

/// How a value is read once.
struct SensorQuestion: Sendable {
  /// Something that must run for the value to be fresh. What was off before is switched off again.
  struct WarmUp: Sendable {
    var status: Register
    var isOn: @Sendable ([UInt8]) -> Bool?
    var on: [UInt8]
    var off: [UInt8]
    /// From on to the first value.
    var time: Duration
  }

  /// Written first.
  var prepare: [[UInt8]] = []
  /// What was written first, where the board tells what it holds of it: a value that another setting made is none.
  var setting: SensorRun.ReadBack?
  var warmUp: WarmUp?
  /// What is read.
  let signal: SensorSignal
  /// What follows the header in the question.
  var arguments: [UInt8] = []
  /// What follows the header in the answer, before the value.
  var selector: [UInt8] = []
  /// How the answer is recognised.
  var answer: AnswerPattern
  /// What it means when nothing answers, where boards are silent by what they are asked; nil where none should be.
  var silence: CommandFailure?
  /// The values in an answer; nil when it is too short.
  var values: @Sendable ([UInt8]) -> [Double]?

  var register: Register { signal.register }

  init(
    of signal: SensorSignal, prepare: [[UInt8]] = [], setting: SensorRun.ReadBack? = nil,
    warmUp: WarmUp? = nil, arguments: [UInt8] = [], selector: [UInt8] = []
  ) {
    self.prepare = prepare
    self.setting = setting
    self.warmUp = warmUp
    self.signal = signal
    self.arguments = arguments
    self.selector = selector
    answer = signal.register.answer(to: selector)
    values = { signal.values(in: $0) }
  }
}
