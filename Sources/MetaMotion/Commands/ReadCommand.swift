import BoardKit
import FleetModel

/// The `read` verb: asks the board once (MQTT contract 3.3).
struct ReadCommand {
  let exchange: Exchange
  let inventory: Inventory
  /// Knows which slots are ours, and by what names.
  let programs: ProgramControl
  let registers: RegisterReader

  /// Answers `request`. Once something was asked, a lost link leaves open whether it was answered (contract 6).
  func perform(_ request: ReadRequest) async -> CommandOutcome {
    do {
      return .done(evidence: .response, data: try await read(request))
    } catch  where error.code == .unreachable {
      return .unknown(message: error.message)
    } catch {
      return .failed(error)
    }
  }

  private func read(_ request: ReadRequest) async throws(CommandFailure) -> JSONObject {
    switch request.what {
    case "temperature": return try await temperature(request.selectors)
    case "gpio": return try await pin(request.selectors)
    case "sensor-config", "fusion-calibration":
      return try await SensorInspection(exchange: exchange, inventory: inventory).read(request)
    case "settings":
      return try await SettingsInspection(exchange: exchange, inventory: inventory).read()
    case "resources", "processor":
      return try await ResourceInspection(exchange: exchange, inventory: inventory, programs: programs)
        .read(request)
    default: break
    }
    // What is said of the log at once is more than its streams hold.
    if BoardReading(rawValue: request.what) == nil,
      StreamCatalogue.find(request.what)?.stream.isReadable == true
    {
      return try await stream(request.what)
    }
    guard let reading = BoardReading(rawValue: request.what), reading.isOffered(by: inventory) else {
      throw unsupported(request.what)
    }
    guard !programs.memory.unanswered.contains(reading.rawValue) else { throw unsupported(request.what) }
    do {
      return try await read(reading, request.selectors)
    } catch .silent where reading.isOptional {
      await noteSilence(about: reading)
      throw unsupported(request.what)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// A board that answers other questions does not know this one: it is not asked again until it was reset, or has
  /// other firmware.
  private func noteSilence(about reading: BoardReading) async {
    guard let answer = try? await exchange.probe(LogClock.now), !answer.isEmpty else { return }
    programs.memory.unanswered.insert(reading.rawValue)
  }

  /// The fields of a readable stream, with the time of the answer.
  private func stream(
    _ name: String, _ configuration: JSONObject = [:]
  ) async throws(CommandFailure) -> JSONObject {
    let reader = StreamReader(exchange: exchange, inventory: inventory, registers: registers)
    let values = try await reader.read(StreamRequest(name: name, configuration: configuration))
    var data: JSONObject = ["ts_ms": .integer(exchange.conversation.now.milliseconds)]
    for (field, value) in zip(StreamCatalogue.find(name)?.stream.fields ?? [], values) {
      let whole = field.kind == .number ? nil : Int64(exactly: value)
      data[field.name] = whole.map { .integer($0) } ?? .number(value)
    }
    return data
  }

  private func pin(_ selectors: JSONObject) async throws(CommandFailure) -> JSONObject {
    let number = selectors["pin"]?.integer ?? 0
    let kind = selectors["kind"]?.string.flatMap { PinStreams.Kind(rawValue: $0) } ?? .digital
    var data = try await stream(PinStreams.name(Int(number), kind), selectors)
    data["pin"] = .integer(number)
    return data
  }

  /// By `channel` where one is given, else by `source`.
  private func temperature(_ selectors: JSONObject) async throws(CommandFailure) -> JSONObject {
    let source: Temperature.Source
    if let channel = selectors["channel"]?.integer {
      let sources = inventory.temperature?.sources ?? []
      guard let index = Int(exactly: channel), sources.indices.contains(index), let listed = sources[index]
      else {
        throw CommandFailure(
          .unsupported,
          "this \(inventory.model.rawValue) has no temperature channel \(channel); it has \(sources.count), from 0"
        )
      }
      source = listed
    } else {
      let name = selectors["source"]?.string ?? Temperature.Source.die.name
      guard let named = Temperature.Source(named: name) else {
        throw .invalid(
          Suggestion.missing(
            "source of temperature", name, among: ["die", "thermistor", "external", "bmp280"]))
      }
      source = named
    }
    var data = try await stream("temperature-\(source.name)", selectors)
    data["source"] = .string(source.name)
    data["channel"] = inventory.temperature?.channel(of: source).map { .integer(Int64($0)) }
    return data
  }

  private func read(
    _ reading: BoardReading, _ selectors: JSONObject
  ) async throws(ProtocolFailure) -> JSONObject {
    let interviewer = Interviewer(exchange: exchange)
    switch reading {
    case .device: return BoardReading.device(try await interviewer.deviceInformation())
    case .moduleInfo: return try await modules(named: selectors["module"]?.string, interviewer)
    case .logTime:
      let clock = try await interviewer.logClock()
      return BoardReading.logTime(clock.now, arrival: clock.arrival)
    case .led: return try await led()
    case .mac: return try await answer(HardwareAddress.register, BoardReading.mac)
    case .logLength: return try await answer(LogClock.length, BoardReading.logLength)
    case .resetCause: return try await answer(Debug.resetCause, BoardReading.resetCause)
    case .stack: return try await answer(Debug.stack, BoardReading.stack)
    case .queueUsage: return try await answer(Debug.queueUsage, BoardReading.hex)
    case .flashHealth: return try await answer(Debug.flashHealth, BoardReading.flashHealth)
    case .debugKey: return try await answer(Debug.key, BoardReading.hex)
    }
  }

  private func answer(
    _ register: Register, _ decode: ([UInt8]) -> JSONObject?
  ) async throws(ProtocolFailure) -> JSONObject {
    let reply = try await exchange.ask(register)
    guard let data = decode(reply) else { throw .unreadable(reply, as: "an answer of its register") }
    return data
  }

  private func modules(
    named name: String?, _ interviewer: Interviewer
  ) async throws(ProtocolFailure) -> JSONObject {
    var modules = JSONObject()
    for module in Module.allCases where name == nil || module.name == name {
      let info = ModuleInfo.decode(try await interviewer.information(of: module))
      modules[module.name] = info.map { .object(BoardReading.module($0)) }
    }
    return ["modules": .object(modules)]
  }

  private func led() async throws(ProtocolFailure) -> JSONObject {
    var channels = JSONObject()
    for channel in LEDChannel.allCases {
      // A channel without a pattern may stay silent, and a lost answer looks the same: asked twice, as all reads.
      var reply = try await LEDControl.pattern(of: channel, by: exchange)
      if reply == nil { reply = try await LEDControl.pattern(of: channel, by: exchange) }
      let pulse = reply.flatMap { LED.pulse(from: $0, of: channel) }
      channels[channel.rawValue] = pulse.map { .object(BoardReading.pulse($0)) }
    }
    // The one question that every firmware answers which tells anything of the LED.
    let playback = LED.playback(try await exchange.ask(LED.playback))
    let isPlaying = playback == .playing || playback == .autoplaying
    return ["channels": .object(channels), "playing": .bool(isPlaying && !channels.isEmpty)]
  }

  private func unsupported(_ what: String) -> CommandFailure {
    CommandFailure(.unsupported, "this \(inventory.model.rawValue) cannot report \(what)")
  }
}
