import BoardKit
import FleetModel

/// The MetaWear protocol on one link: the table of contents of the family.
///
/// - Who the board is: `Interviewer` asks, `Inventory` judges.
/// - What it streams: `StreamSelection` understands what is wanted, `StreamPlan` says what to write, `StreamControl`
///   does it; `PacketDecoder` reads what comes, `StreamReader` polls.
/// - What it does by itself: `ProgramCompiler` understands it, `ProgramPlan` compares it with what the board holds,
///   `ProgramControl` does it.
/// - What it logs: `LogCompiler` understands it, `LogControl` starts, stops and reads it out, `LogDownloadMachine` says
///   when a page is safe, `LogEntryDecoder` reads the entries.
/// - How it is set up: `SettingsPlan` says what to write and what proves it, `SettingsControl` does it.
/// - What is written to it: the files of `Commands`, one per verb or two.
/// - Bytes: one file per module in `Sensors`, `Outputs`, `Buses`, `Programs`, `Settings` and `Logging`; what they share
///   in `Wire`.
final class MetaMotionDriver: BoardDriver {
  private let exchange: Exchange
  private let registers: RegisterReader
  private let streams: StreamControl
  private let programs: ProgramControl
  /// Known from the interview on.
  private var inventory: Inventory?
  private var log: LogControl?
  // Compared with every packet's, where the global would pass its guard each time.
  private let notification = Attributes.notification

  init(conversation: Conversation) {
    exchange = Exchange(conversation: conversation)
    registers = RegisterReader(exchange: exchange)
    streams = StreamControl(exchange: exchange, registers: registers)
    programs = ProgramControl(exchange: exchange)
  }

  func interview(remembering memory: [UInt8]?) async throws(ProtocolFailure) -> Interview {
    let (interview, inventory) = try await Interviewer(exchange: exchange).interview(remembering: memory)
    self.inventory = inventory
    streams.begin(on: inventory)
    if inventory.has(.logging) {
      log = LogControl(exchange: exchange, inventory: inventory, programs: programs)
    }
    return interview
  }

  func apply(
    _ wanted: [StreamKey: StreamRequest], button: Bool
  ) async throws(ProtocolFailure) -> StreamsApplied {
    streams.forget(programs.takeFilled())
    let applied = try await streams.apply(wanted, chains: programs.outputs, button: button)
    programs.streams = streams.configured
    return applied
  }

  func recall(streams earlier: [StreamRequest]) { streams.recall(earlier) }

  func conflicts(
    _ wanted: [StreamKey: StreamRequest], button: Bool
  ) async throws(ProtocolFailure) -> [String] {
    try await streams.conflicts(wanted, chains: programs.outputs, button: button)
  }

  func isControlledOnDevice(_ stream: String) -> Bool {
    let name = StreamCatalogue.find(stream)?.stream.name ?? stream
    return streams.configured.stopped(by: programs.actions).contains(name)
  }

  func apply(_ program: BoardProgram) async throws(ProtocolFailure) -> ProgramApplied {
    guard let inventory else { throw .unexpected("a program was asked of a board before its interview") }
    return try await programs.reconcile(program, on: inventory)
  }

  var chains: [ChainStream] { programs.outputs.values.map(\.stream).sorted { $0.name < $1.name } }

  func apply(
    _ settings: SettingsDeclaration, trusting trusted: Set<String>, usesConservativeParameters: Bool
  ) async throws(ProtocolFailure) -> SettingsApplied {
    guard let inventory else { throw .unexpected("settings were asked of a board before its interview") }
    return try await SettingsControl(exchange: exchange, inventory: inventory).reconcile(
      settings, trusting: trusted, sparing: usesConservativeParameters ? RadioSettings.conservativeKeys : [])
  }

  func survey() async throws(ProtocolFailure) -> SlotUsage {
    guard let inventory else { throw .unexpected("a board was surveyed before its interview") }
    return try await ResourceInspection(exchange: exchange, inventory: inventory, programs: programs).survey()
  }

  var programMemory: [UInt8] { programs.memory.encoded }

  func recall(program memory: [UInt8], isReset: Bool) {
    guard let inventory else { return }
    programs.begin(
      remembering: ProgramMemory(memory).valid(for: ProgramMemory.Origin(inventory), isReset: isReset))
    if let byte = programs.memory.downsampling { streams.take(Downsampling(byte: byte)) }
  }

  var ownSlots: [String: Int] {
    var slots = ["macros": programs.macros.count]
    for kind in ResourceKey.Kind.allCases { slots[kind.rawValue] = programs.owned.slots(of: kind).count }
    return slots
  }

  var logs: (any LogSource)? { log }

  func checkLiveness() async throws(ProtocolFailure) {
    let limit = Duration.seconds(5)
    guard try await exchange.probe(LogClock.now, within: limit) != nil else {
      throw .silent(question: "the log clock", after: limit)
    }
  }

  func invalidateCachedState() { streams.invalidateCachedState() }

  var hasStaleSubscriptions: Bool { streams.hasStaleSubscriptions }

  func endStaleSubscriptions() async throws(ProtocolFailure) { try await streams.endStaleSubscriptions() }

  func requestConservativeParameters() async throws(ProtocolFailure) {
    for command in RadioSettings.conservativeParameters(inventory?.modules[.settings]) {
      try await exchange.write(command)
    }
  }

  func read(_ stream: StreamRequest) async throws(CommandFailure) -> [Double] {
    guard let inventory else { throw Self.notInterviewed }
    return try await StreamReader(exchange: exchange, inventory: inventory, registers: registers).read(stream)
  }

  func decode(
    _ packet: RawSpan, from characteristic: Characteristic, at arrival: Timestamp,
    into decoded: inout DecodedPackets
  ) -> PacketVerdict {
    guard characteristic == notification else { return .unwanted }
    let verdict = streams.decode(packet, at: arrival, into: &decoded)
    switch verdict {
    case .unwanted: return log?.decode(packet) ?? verdict
    // Whole, but of a module that we do not know: newer firmware may have more of them.
    case .malformed where Module.isUnknown(of: packet): return .unwanted
    case .malformed, .taken: return verdict
    }
  }

  func perform(_ intent: DeviceIntent) async -> CommandOutcome {
    guard let inventory else { return .failed(Self.notInterviewed) }
    if let ending = exchange.conversation.ending {
      return .failed(CommandFailure(.unreachable, "the board is disconnected: \(ending.message)"))
    }
    do {
      return try await perform(intent, on: inventory)
    } catch {
      return CommandOutcome(acting: error)
    }
  }

  private func perform(
    _ intent: DeviceIntent, on inventory: Inventory
  ) async throws(ProtocolFailure) -> CommandOutcome {
    switch intent {
    case .led(let command):
      guard let revision = inventory.revision(of: .led) else { return .failed(Self.noLED) }
      return try await LEDControl(exchange: exchange, revision: revision).perform(command)
    case .identify(let seconds):
      guard let revision = inventory.revision(of: .led) else { return .failed(Self.noLED) }
      let identification = Identification(
        exchange: exchange, revision: revision, canMove: inventory.has(.haptic))
      return .done(
        evidence: try await identification.identify(seconds: seconds),
        data: ["seconds": .integer(Int64(seconds))])
    case .haptic(let command):
      guard inventory.has(.haptic) else {
        return .failed(CommandFailure(.unsupported, "this board has no haptic module"))
      }
      try await exchange.write(Haptic.packet(command))
      return .done(evidence: .linkWrite, data: [:])
    case .pin(let command):
      return try await PinControl(exchange: exchange, inventory: inventory, streams: streams).perform(command)
    case .bus(let command):
      return try await BusControl(exchange: exchange, inventory: inventory).perform(command)
    case .beacon(let command):
      guard inventory.has(.iBeacon) else {
        return .failed(CommandFailure(.unsupported, "this board has no iBeacon module"))
      }
      for packet in IBeacon.packets(command) { try await exchange.write(packet) }
      return .done(evidence: .linkWrite, data: ["enabled": .bool(command.isEnabled ?? true)])
    case .settings(let command):
      return try await SettingsControl(exchange: exchange, inventory: inventory).perform(
        command, keepingIn: programs)
    case .program(let command):
      return try await ProgramVerbs(programs: programs, board: inventory).perform(command)
    case .sensor(let command):
      let control = SensorControl(exchange: exchange, inventory: inventory) { [streams, programs] in
        streams.take($0)
        programs.memory.downsampling = $0.byte
      }
      return try await control.perform(command)
    case .read(let request):
      return await ReadCommand(
        exchange: exchange, inventory: inventory, programs: programs, registers: registers
      ).perform(request)
    case .factoryReset(let discard):
      return try await FactoryReset(exchange: exchange, logRevision: inventory.revision(of: .logging) ?? 0)
        .erase(discarding: discard)
    case .sleep: return try await Sleeping(exchange: exchange, inventory: inventory).sleep()
    case .raw(let command):
      // Whatever it does, what we remember of the board's slots may be wrong afterwards.
      programs.forgetResources()
      return try await RawControl(exchange: exchange).perform(command)
    case .reset: return try await DisconnectingCommands(exchange: exchange).leave(by: Debug.reset)
    case .disconnect: return try await DisconnectingCommands(exchange: exchange).leave(by: Debug.disconnect)
    case .enterBootloader:
      return try await DisconnectingCommands(exchange: exchange).leave(by: Debug.enterBootloader)
    }
  }

  private static let notInterviewed = CommandFailure(
    .internal, "internal error: command before the interview; please report it")
  private static let noLED = CommandFailure(.unsupported, "this board has no LED module")
}
