import BoardKit
import FleetModel

/// What has to be written for a board to be set up as wanted, and how that shows when it is read back (MQTT contract
/// 3.9).
struct SettingsPlan: Sendable {
  /// One key of the contract.
  struct Step: Hashable, Sendable {
    var key: String
    var writes: [[UInt8]]
    /// The reads that show it; none for what can only be written.
    var proofs: [Proof] = []
    /// What the board does then, as the contract says it.
    var value: JSONValue
    /// Whether the reads show all of it.
    var isReadable = true
    /// Whether it makes what was written before it take effect.
    var followsChanges = false

    /// Whether the board must be told, by what it answers to the proofs' reads; nil for silence. `isTrusted`: it was
    /// told the same since its last reset.
    func isDue(after replies: [[UInt8]?], isTrusted: Bool) -> Bool {
      let judged = zip(proofs, replies).map { proof, reply in reply.map { proof.isMet(by: $0) } }
      if judged.contains(false) { return true }
      return isReadable && !judged.isEmpty && !judged.contains(nil) ? false : !isTrusted
    }
  }

  /// A read and what it must answer.
  struct Proof: Hashable, Sendable {
    var register: Register
    var selector: [UInt8] = []
    /// Behind the register and the selector.
    var payload: [UInt8]
    /// How much of it older or smaller answers may hold.
    var least: Int

    /// Whether an answer shows what is wanted.
    func isMet(by reply: [UInt8]) -> Bool {
      let onBoard = reply.dropFirst(2 + selector.count)
      return onBoard.count >= least && onBoard.elementsEqual(payload.prefix(onBoard.count))
    }
  }

  private(set) var steps: [Step] = []

  /// Plans in the order in which the board can take it; advertising begins last. Throws `unsupported` for what this
  /// board cannot, before anything is written.
  init(_ settings: BoardSettings, on inventory: Inventory) throws(CommandFailure) {
    guard let revision = inventory.revision(of: .settings) else {
      throw CommandFailure(.unsupported, "this \(inventory.model.rawValue) has no settings")
    }
    func need(_ least: UInt8, _ key: String) throws(CommandFailure) {
      guard revision >= least else {
        throw CommandFailure(
          .unsupported, "\(key) needs revision \(least) of the settings module; this board has \(revision)")
      }
    }
    if let name = settings.name {
      guard let advertised = AdvertisedName(name) else { throw .invalid("the name cannot be advertised") }
      add("name", AdvertisedName.register, advertised.command, .string(name))
    }
    if let power = settings.transmissionPower {
      add("tx_dbm", TransmissionPower.register, TransmissionPower.set(power), .integer(Int64(power)))
    }
    if let wanted = settings.advertising {
      if wanted.isDirected { try need(Advertising.firstRevisionWithType, "directed advertising") }
      addAdvertising(wanted, revision)
    }
    if let wanted = settings.connection {
      try need(1, "connection")
      addConnection(wanted)
    }
    if let response = settings.scanResponse {
      if response.count > ScanResponse.packetLimit { try need(1, "a scan response of more than 18 bytes") }
      addScanResponse(response)
    }
    if let wanted = settings.whitelist {
      try need(Whitelist.firstRevision, "whitelist")
      addWhitelist(wanted)
    }
    if let isOn = settings.regulator {
      try need(9, "regulator_3v")
      try Self.need("regulator_3v", on: inventory)
      add("regulator_3v", RadioSettings.regulator, RadioSettings.regulator.write(isOn ? 1 : 0), .bool(isOn))
    }
    if let isForced = settings.forcesOneMegabit {
      try need(10, "force_1m_phy")
      try Self.need("force_1m_phy", on: inventory)
      let register = RadioSettings.forceOneMegabit
      add("force_1m_phy", register, register.write(isForced ? 1 : 0), .bool(isForced))
    }
    if settings.startsAdvertising {
      steps.append(
        Step(
          key: "start_advertising", writes: [Advertising.start], value: true, isReadable: false,
          followsChanges: true))
    }
  }

  private static func need(_ key: String, on inventory: Inventory) throws(CommandFailure) {
    guard exists(key, on: inventory) else {
      throw CommandFailure(.unsupported, "\(key) exists on the MetaMotion S only")
    }
  }

  /// Whether this model has what the key sets. Two exist on the MetaMotion S alone, whatever the revision says
  /// (protocol reference, section 20.1).
  static func exists(_ key: String, on inventory: Inventory) -> Bool {
    let capabilities = inventory.modules[.settings]?.extra.first ?? 0
    return switch key {
    case "regulator_3v": inventory.model == .metaMotionS && capabilities & 0b100 != 0
    case "force_1m_phy": inventory.model == .metaMotionS
    default: true
    }
  }

  /// A register that answers as it was written.
  private mutating func add(_ key: String, _ register: Register, _ write: [UInt8], _ value: JSONValue) {
    let payload = Array(write.dropFirst(2))
    let proof = Proof(register: register, payload: payload, least: payload.count)
    steps.append(Step(key: key, writes: [write], proofs: [proof], value: value))
  }

  private mutating func addAdvertising(_ wanted: BoardSettings.Advertising, _ revision: UInt8) {
    let advertising = Advertising(
      milliseconds: wanted.interval, timeoutSeconds: wanted.timeout, isDirected: wanted.isDirected,
      revision: revision)
    let command = advertising.command(revision: revision)
    // The type may be missing in the answer of firmware that takes it.
    let proof = Proof(
      register: Advertising.register, payload: Array(command.dropFirst(2)), least: wanted.isDirected ? 4 : 3)
    steps.append(
      Step(
        key: "advertising", writes: [command], proofs: [proof],
        value: .object(advertising.contractKeys(revision: revision))))
  }

  private mutating func addConnection(_ wanted: BoardSettings.Connection) {
    let connection = RadioSettings.Connection(
      interval: .milliseconds(wanted.interval.lowerBound)...(.milliseconds(wanted.interval.upperBound)),
      latency: wanted.latency, timeout: .milliseconds(wanted.supervision))
    let command = connection.command
    // What the steps of the wire make of it.
    let onBoard = RadioSettings.Connection(command) ?? connection
    add("connection", RadioSettings.connection, command, .object(onBoard.contractKeys))
  }

  private mutating func addScanResponse(_ response: [UInt8]) {
    // The answer carries what fits a packet.
    let proof = Proof(
      register: ScanResponse.register, payload: response, least: min(response.count, ScanResponse.packetLimit)
    )
    steps.append(
      Step(
        key: "scan_response", writes: ScanResponse.set(response), proofs: [proof],
        value: .string(Hex.string(response)), isReadable: response.count <= ScanResponse.packetLimit))
  }

  /// The list is filled before it counts.
  private mutating func addWhitelist(_ wanted: BoardSettings.Whitelist) {
    var writes: [[UInt8]] = []
    var proofs: [Proof] = []
    for (entry, address) in zip(Whitelist.entries, wanted.addresses) {
      let number = UInt8(entry)
      // The highest two bits of a random static address are set; those of makers may begin so, too, but seldom do.
      let isRandom = address.rawValue >> 46 == 0b11
      let write = Whitelist.set(number, to: address, isRandom ? .randomStatic : .public)
      writes.append(write)
      proofs.append(
        Proof(register: Whitelist.entry, selector: [number], payload: Array(write.dropFirst(3)), least: 7))
    }
    writes.append(Whitelist.set(Whitelist.Filter(wanted.mode)))
    let value: JSONValue = [
      "mode": .string(wanted.mode.rawValue),
      "addresses": .array(wanted.addresses.map { .string($0.colonSeparated) }),
    ]
    // Whom the list keeps away cannot be read.
    steps.append(
      Step(key: "whitelist", writes: writes, proofs: proofs, value: value, isReadable: false))
  }
}

extension Whitelist.Filter {
  fileprivate init(_ mode: BoardSettings.Whitelist.Mode) {
    switch mode {
    case .any: self = .any
    case .scan: self = .scan
    case .connect: self = .connect
    case .both: self = .both
    }
  }
}
