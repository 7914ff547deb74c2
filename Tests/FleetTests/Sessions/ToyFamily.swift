import BoardKit
import FleetModel

@testable import Fleet

/// A board family of three bytes, so that supervision is tested without any real one.
///
/// | written | the board |
/// |---|---|
/// | `01` | answers `81`: it lives |
/// | `02` | starts its stream; `03` stops it |
/// | `04` | answers `84`, after it did what it was told |
/// | `05` | ends the stream nobody asked for |
/// | `06` | makes its link sturdier |
/// | `08` | leaves, to restart, maybe in its bootloader |
///
/// It sends `20` for a sample, `30` for a sample nobody asked for, and whatever else cannot be read.
enum ToyFamily {
  static let service = AttributeUUID(assigned: 0xFFF0)
  static let command = Characteristic(service: service, uuid: AttributeUUID(assigned: 0xFFF1))
  static let notification = Characteristic(service: service, uuid: AttributeUUID(assigned: 0xFFF2))
  /// Why a link ends when the board leaves.
  static let leaving = LinkFailure(.linkLost, "the board disconnected")
  /// Of the stream.
  static let period = Duration.milliseconds(20)

  static let descriptor = FamilyDescriptor(
    name: "toy", advertisedServices: [service], recognises: { _ in true }, isBootloader: { _ in false },
    requiredCharacteristics: [[command, notification]], notifications: [notification],
    makeDriver: { ToyDriver($0) })
}

final class ToyDriver: BoardDriver {
  private let conversation: Conversation
  private let flash: ToyFlash?
  private let firmware: ToyFirmware?
  let logs: (any LogSource)?
  private var stream: StreamKey?
  private var isTrusted = false
  private(set) var hasStaleSubscriptions = false

  init(_ conversation: Conversation, flash: ToyFlash? = nil, firmware: ToyFirmware? = nil) {
    (self.conversation, self.flash, self.firmware) = (conversation, flash, firmware)
    logs = flash.map { ToyLog($0, conversation) }
  }

  func interview(remembering memory: [UInt8]?) async throws(ProtocolFailure) -> Interview {
    if firmware?.isInBootloader == true {
      throw .linkEnded(LinkFailure(.servicesMissing, "the board has no such service"))
    }
    try await checkLiveness()
    let description = BoardDescription(
      model: "Toy", modelNumber: "1", manufacturer: "", serialNumber: firmware?.serial ?? "",
      hardwareRevision: firmware == nil ? "" : "0.1", firmwareRevision: firmware?.version ?? "1", imu: nil,
      modules: [:], slots: .init(), streams: [])
    return Interview(
      description: description, memory: [1], resetID: await flash?.resetID ?? 1,
      bootTime: Timestamp(milliseconds: 0))
  }

  func conflicts(
    _ streams: [StreamKey: StreamRequest], button: Bool
  ) async throws(ProtocolFailure) -> [String] { await flash?.usedByOthers ?? [] }

  func apply(
    _ streams: [StreamKey: StreamRequest], button: Bool
  ) async throws(ProtocolFailure) -> StreamsApplied {
    if !isTrusted { try await write(0x03) }
    if !isTrusted, !streams.isEmpty { try await write(0x02) }
    isTrusted = true
    stream = streams.keys.min()
    let active = streams.filter { $0.value.consumer == nil }.map { key, request in
      ActiveStream(
        key: key, request: request,
        period: request.readRule == nil ? ToyFamily.period : request.readRule?.interval,
        isPolled: request.readRule != nil)
    }
    return StreamsApplied(active: active, refused: [:], evidence: .linkWrite)
  }

  func apply(_ program: BoardProgram) async throws(ProtocolFailure) -> ProgramApplied {
    if let flash { return await flash.take(program.logs) }
    guard !program.isEmpty || !programMemory.isEmpty else { return ProgramApplied() }
    try await write(0x07)
    programMemory = program.isEmpty ? [] : [UInt8(program.timers.count)]
    return ProgramApplied()
  }

  var chains: [ChainStream] { [] }

  private(set) var programMemory: [UInt8] = []

  func recall(program memory: [UInt8], isReset: Bool) { programMemory = isReset ? [] : memory }

  /// Writes nothing; what a sturdier link overrules is `connection`.
  func apply(
    _ settings: SettingsDeclaration, trusting trusted: Set<String>, usesConservativeParameters: Bool
  ) async throws(ProtocolFailure) -> SettingsApplied {
    var applied = SettingsApplied(
      effective: settings.keys, written: settings.keys.keys.filter { !trusted.contains($0) })
    if usesConservativeParameters, settings.keys["connection"] != nil {
      applied.effective["connection"] = nil
      applied.exempt = ["connection"]
    }
    return applied
  }

  func survey() async throws(ProtocolFailure) -> SlotUsage { SlotUsage(used: ["timers": 0]) }

  var ownSlots: [String: Int] { ["timers": programMemory.count] }

  func checkLiveness() async throws(ProtocolFailure) { try await ask(0x01) }

  func invalidateCachedState() { isTrusted = false }

  func endStaleSubscriptions() async throws(ProtocolFailure) {
    hasStaleSubscriptions = false
    try await write(0x05)
  }

  func requestConservativeParameters() async throws(ProtocolFailure) { try await write(0x06) }

  func read(_ stream: StreamRequest) async throws(CommandFailure) -> [Double] {
    let answer: [UInt8]
    do throws(ProtocolFailure) { answer = try await ask(0x01) } catch {
      throw CommandFailure(.boardError, "the board is mute")
    }
    guard answer.count == 1 else { throw CommandFailure(.boardError, "the answer is unreadable") }
    return [50, 4_000]
  }

  func decode(
    _ packet: RawSpan, from characteristic: Characteristic, at arrival: Timestamp,
    into decoded: inout DecodedPackets
  ) -> PacketVerdict {
    switch packet.withUnsafeBytes({ $0.first }) {
    case 0x20:
      guard let stream else { return .unwanted }
      decoded.readings.append(stream, at: arrival, 1, 2, 3)
      return .taken
    case 0x30:
      hasStaleSubscriptions = true
      return .unwanted
    default: return .malformed
    }
  }

  func perform(_ intent: DeviceIntent) async -> CommandOutcome {
    do throws(ProtocolFailure) {
      if intent == .reset {
        try await write(0x08)
        _ = await conversation.linkEnds(within: .seconds(10))
        return .done(evidence: .response, data: JSONObject())
      }
      if case .program(.recordMacro) = intent {
        // Such a command does not end the link; here it turns out that it has to.
        conversation.isLeaving = true
        try await write(0x08)
        _ = await conversation.linkEnds(within: .seconds(10))
        return .failed(CommandFailure(.boardError, "it was erased again"))
      }
      if intent == .enterBootloader {
        if firmware?.jumps() == true { try await write(0x08) }
        let isGone = await conversation.linkEnds(within: .seconds(10))
        return isGone
          ? .done(evidence: .response, data: JSONObject()) : .unknown(message: "the board is still connected")
      }
      try await ask(0x04)
      if case .read(let request) = intent, request.what == "battery", let battery = firmware?.battery {
        return .done(
          evidence: .response, data: ["battery_pct": .integer(Int64(battery)), "battery_mv": 4_000])
      }
      if case .settings(let command) = intent {
        return .done(evidence: .readback, data: command.declared.keys)
      }
      return .done(evidence: .response, data: JSONObject())
    } catch {
      return .unknown(message: "\(error)")
    }
  }

  @discardableResult
  private func ask(_ question: UInt8) async throws(ProtocolFailure) -> [UInt8] {
    try await conversation.ask(
      [question], to: ToyFamily.command, answer: AnswerPattern([[0x80 | question]], "question \(question)"))
  }

  private func write(_ byte: UInt8) async throws(ProtocolFailure) {
    try await conversation.write([byte], to: ToyFamily.command)
  }
}
