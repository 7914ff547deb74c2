import BoardKit
import FleetModel
import Testing

@testable import MetaMotion

/// Every signal of every sensor, as the catalogue declares its stream: streamed or read, logged, computed with on the
/// board and explained, always with the same values.
@Suite struct SensorSignalTests {
  /// A stream on a board with one chip or the other, and all else that there is.
  struct Example: Sendable, CustomTestStringConvertible {
    let stream: StreamDefinition
    let board: TestBoard
    var testDescription: String { "\(stream.name) on \(board.testDescription)" }

    /// The least that has to be chosen.
    var configuration: JSONObject {
      var keys: JSONObject = stream.name == "temperature-external" ? ["data_pin": 1, "pulldown_pin": 0] : [:]
      if stream.ownParameters.contains(where: { $0.name == "packed" }) { keys["packed"] = "off" }
      // The BMI160 counts steps without telling.
      let isTold = stream.isNotified && (stream.name != "steps" || board.modelNumber == "8")
      if !isTold { keys["every"] = "60s" }
      return keys
    }
  }

  /// Both chips, each with every module there is.
  private static let boards = [
    TestBoard.metaMotionS, TestBoard.metaMotionRL.with("0480010000030102"),
  ].map { board in
    Module.allCases.reduce(into: board) { board, module in
      if board.replies[module].map({ $0.count < 4 }) ?? true {
        board.replies[module] = [module.rawValue, 0x80, 0, 0]
      }
    }
  }
  private static let streams =
    StreamCatalogue.all.filter { $0.outlet == .stream && $0.isLoggable }
    + PinStreams.Kind.allCases.compactMap { StreamCatalogue.find(PinStreams.name(1, $0))?.stream }
  static let examples = boards.flatMap { board in streams.map { Example(stream: $0, board: board) } }

  /// The count of steps is told and logged, but chains take the steps themselves.
  private static func declaration(_ example: Example) throws -> (signal: SensorSignal, index: UInt8?) {
    let board = try example.board.inventory()
    guard example.stream.name != "steps" else {
      let isBMI160 = board.accelerometer?.chip == .bmi160
      return (isBMI160 ? BMI160Detectors.stepCount : BMI270Features.stepCount, nil)
    }
    return try #require(board.declaration(of: example.stream.name))
  }

  /// A sample in bytes, and what it says at the ranges that count when none is chosen.
  private static func sample(
    _ signal: SensorSignal, of stream: StreamDefinition
  ) -> (bytes: [UInt8], values: [Double]) {
    var bytes: [UInt8] = []
    var values: [Double] = []
    for part in [signal.values] + [signal.further].compactMap(\.self) {
      let counts: Double =
        switch part.scale {
        case .fixed(let counts): counts
        case .ranged(let range):
          range.counts / (stream.parameters.first { $0.name == range.key }?.standard?.number ?? .nan)
        }
      for place in 0..<part.labels.count {
        let raw = part.number == .flag ? 1 : part.number == .float32 ? 1.5 : 2
        let value = part.number == .flag ? raw : raw + Double(place)
        values.append(value * (1 / counts))
        switch part.number {
        case .flag, .uint8: bytes.append(UInt8(value))
        case .int16, .uint16: bytes.append(number: UInt16(value))
        case .int32, .uint32: bytes.append(number: UInt32(value))
        case .float32: bytes.append(number: Float(value).bitPattern)
        }
      }
    }
    return (bytes, values)
  }

  @Test(arguments: examples) func `the catalogue and the signal say the same`(_ example: Example) throws {
    let stream = example.stream
    let (signal, _) = try Self.declaration(example)
    let parts = [signal.values] + [signal.further].compactMap(\.self)
    let declared = parts.flatMap { part in part.labels.map { _ in part } }
    #expect(stream.fields.map(\.unit) == declared.map(\.unit.words))
    for (field, part) in zip(stream.fields, declared) {
      #expect(part.unit == .none || field.name.hasSuffix("_\(part.unit.rawValue)"), "\(field.name)")
      #expect((field.kind == .flag) == (part.number == .flag), "\(field.name)")
      var isWhole = false
      if case .fixed(1) = part.scale { isWhole = part.number != .float32 && part.number != .flag }
      #expect((field.kind == .integer) == isWhole, "\(field.name)")
      #expect(field.possible != nil, "\(field.name)")
    }
    #expect(stream.module == signal.register.module.name)
    #expect(stream.logEntries == (signal.layout().byteCount + LoggerEntry.chunk - 1) / LoggerEntry.chunk)
    guard stream.name != "steps" else { return }
    #expect(stream.isNotified == signal.isNotified)
    #expect(stream.isReadable == signal.isReadable)
  }

  @Test(arguments: examples) func `every signal is streamed or read`(_ example: Example) throws {
    let (signal, index) = try Self.declaration(example)
    let sample = Self.sample(signal, of: example.stream)
    let prefix = index.map { [$0] } ?? []
    let active = try example.board.select([(example.stream.name, example.configuration)])
    #expect(active.refused == [:])
    if active.active.first?.isPolled == false {
      var decoded = DecodedPackets()
      let packet = signal.register.write(prefix + sample.bytes)
      _ = PacketDecoder(routes: active.routes)
        .decode(packet.span.bytes, at: Timestamp(nanoseconds: 0), into: &decoded)
      #expect(decoded.readings.values == sample.values)
    }
    if example.stream.isReadable {
      let sources = StreamSources(on: try example.board.inventory())
      let source = sources.all[try #require(sources.index(for: example.stream))]
      let question = try #require(try source.question(for: example.stream, example.configuration))
      #expect(question.signal.values(in: signal.register.read(prefix + sample.bytes)) == sample.values)
    }
  }

  /// What cannot be logged on a board although it can be read, and why.
  private static func isUnlogged(_ example: Example) -> Bool {
    // It goes by a sensor that runs beside it.
    if example.stream.name == "temperature-bmp280" { return true }
    // Trap T35.
    return example.stream.name == "battery" && example.board.modelNumber == "8"
  }

  @Test(arguments: examples.filter { !isUnlogged($0) }) func `every signal is logged`(
    _ example: Example
  ) throws {
    let (signal, index) = try Self.declaration(example)
    let sample = Self.sample(signal, of: example.stream)
    let request = StreamRequest(name: example.stream.name, configuration: example.configuration)
    let compiler = try ProgramCompiler(
      BoardProgram(chains: [:], logs: [example.stream.name: request]), on: try example.board.inventory())
    let planned = try #require(compiler.logs.planned.first)
    #expect(planned.fields == example.stream.fields)
    #expect(planned.keys.count == example.stream.logEntries)
    #expect(planned.layout.samples(in: sample.bytes)?.map(\.values) == [sample.values])
    #expect(LoggedSample.all(in: planned.layout).map(\.values.count) == [sample.values.count])
    guard case .signal(let source) = planned.source else { return #expect(Bool(false), "no signal") }
    #expect(source.address.register == signal.register)
    #expect(source.address.index == index)
    #expect(source.address.isRead == (example.configuration["every"] != nil))
  }

  @Test(arguments: examples.filter { $0.stream.name != "steps" })
  func `every signal goes into chains`(_ example: Example) throws {
    let (signal, _) = try Self.declaration(example)
    let sample = Self.sample(signal, of: example.stream)
    let chain = Chain(
      from: example.stream.name, [ChainStep("time", ["period_ms": 100])], every: .seconds(60))
    let compiler = try ProgramCompiler(
      BoardProgram(chains: ["calm": chain], logs: [:]), on: try example.board.inventory())
    let layout = try #require(compiler.chains.output(of: "calm")).output
    #expect(layout.samples(in: sample.bytes)?.map(\.values) == [sample.values])
  }

  @Test(arguments: examples) func `every signal is explained`(_ example: Example) throws {
    let (signal, index) = try Self.declaration(example)
    let sample = Self.sample(signal, of: example.stream)
    let board = try example.board.inventory()
    var context = PacketContext()
    context.chip = board.accelerometer?.chip
    if case .ranged(let range) = signal.values.scale {
      context.scales[range] = example.stream.parameters.first { $0.name == range.key }?.standard?.number
    }
    let payload = (index.map { [$0] } ?? []) + sample.bytes
    let packet = signal.isNotified ? signal.register.write(payload) : signal.register.read(payload)
    var explainer = PacketExplainer(context)
    let explained = explainer.explain(packet, from: .board)
    #expect(explained.map(\.isComplete) == [true])
    let fields = explained[0].fields.suffix(sample.values.count)
    let parts = [signal.values] + [signal.further].compactMap(\.self)
    let declared = parts.flatMap { part in part.labels.map { _ in part } }
    for ((field, value), part) in zip(zip(fields, sample.values), declared) where part.words.isEmpty {
      let told = field.value.number ?? field.value.bool.map { $0 ? 1 : 0 }
      #expect(abs((told ?? .nan) - value) < 1e-5, "\(field)")
      #expect(field.unit == part.unitWords ?? part.unit.words)
    }
  }

  @Test func `components are numbers of the whole`() throws {
    let board = try TestBoard.metaMotionS.inventory()
    func slice(_ stream: String) -> Slice? { board.signal(of: stream)?.slice }
    #expect(slice("acceleration-z") == Slice(offset: 4, length: 2))
    #expect(slice("battery-mv") == Slice(offset: 1, length: 2))
    // The vector comes before its accuracy.
    #expect(slice("corrected-acceleration-x") == Slice(offset: 0, length: 4))
    #expect(slice("corrected-acceleration-z") == Slice(offset: 8, length: 4))
  }

  @Test func `sensors that run and can be set tell how they are set`() throws {
    let board = try Self.boards[0].inventory()
    let modules = StreamCatalogue.all.filter {
      $0.outlet == .stream && $0.isNotified && !$0.ownParameters.isEmpty
    }.map(\.module)
    for name in Set(modules) {
      #expect(Module(named: name)?.sensor?.settings(on: board) != nil, "\(name)")
    }
  }

  @Test func `every detector has a register`() {
    for stream in StreamCatalogue.all where stream.outlet == .event {
      let registers = Accelerometer.Chip.allCases.compactMap {
        SensorModules.register(of: stream.name, on: $0)
      }
      #expect(!registers.isEmpty, "\(stream.name)")
      #expect(registers.allSatisfy { $0.module.name == stream.module }, "\(stream.name)")
    }
  }

  @Test(arguments: boards) func `whatever may be left running can be switched off`(_ board: TestBoard) throws
  {
    let registers = StreamSources(on: try board.inventory()).leftOver.flatMap(\.registers)
    #expect(Set(registers).isSubset(of: SensorModules.streaming))
  }
}
