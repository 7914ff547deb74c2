import BoardKit
import FleetModel

/// Finds out what a board's loggers write down, question by question (protocol reference, section 31).
struct SignalRecovery: Sendable {
  /// A read, answered by `take`.
  enum Question: Hashable, Sendable {
    /// How a sensor is set.
    case settings(Register)
    case logger(UInt8)
    case processor(UInt8)

    var register: Register {
      switch self {
      case .settings(let register): register
      case .logger: LoggerEntry.creation
      case .processor: Processor.creation
      }
    }

    var selector: [UInt8] {
      switch self {
      case .settings: []
      case .logger(let slot), .processor(let slot): [slot]
      }
    }
  }

  /// Empty slots of some firmware stay silent (trap T14); after this many in a row the rest is not asked for.
  private static let mostSilences = 2

  private let dialect: ProcessorDialect
  private let slots: UInt8
  private var open: [Question]
  private var silences = 0
  private var hasSlotAnswers = false
  private(set) var loggers: [UInt8: LoggerEntry] = [:]
  private(set) var graph: ProcessorGraph
  /// Processors of the logger at hand that were asked for, so that a ring of them ends.
  private var walked: Set<UInt8> = []

  init(_ board: Inventory) {
    dialect = board.processorDialect
    slots = board.modules[.logging]?.extra.first ?? 0
    graph = ProcessorGraph(chip: board.accelerometer?.chip)
    open = (SensorModules.ranges.map(\.settings) + [SensorFusion.mode])
      .filter { board.has($0.module) }.map { .settings($0) }
    if slots > 0 { open.append(.logger(0)) }
  }

  /// What to ask next; nil when all is known.
  var question: Question? { open.first }

  /// Whether not one slot was told of.
  var hasFailed: Bool { open.isEmpty && slots > 0 && !hasSlotAnswers }

  /// Takes the answer to `question`, or its absence.
  mutating func take(_ reply: [UInt8]?) {
    guard !open.isEmpty else { return }
    switch open.removeFirst() {
    case .settings(let register):
      graph.scales.learn(register, Array((reply ?? []).dropFirst(2)), on: graph.chip)
    case .logger(let slot): take(logger: slot, reply)
    case .processor(let slot): take(processor: slot, reply)
    }
  }

  private mutating func take(logger slot: UInt8, _ reply: [UInt8]?) {
    silences = reply == nil ? silences + 1 : 0
    hasSlotAnswers = hasSlotAnswers || reply != nil
    walked = []
    if let reply, let entry = LoggerEntry(reply) {
      loggers[slot] = entry
      walk(to: ProcessorGraph.slot(at: entry.source).map { [$0] } ?? [])
    }
    if slot + 1 < slots, silences < Self.mostSilences { open.append(.logger(slot + 1)) }
  }

  private mutating func take(processor slot: UInt8, _ reply: [UInt8]?) {
    guard let reply, let definition = ProcessorDefinition(reply, on: dialect) else { return }
    graph.slots[slot] = definition
    let buffers = (definition.operation as? Fuser)?.buffers ?? []
    walk(to: buffers + (ProcessorGraph.slot(at: definition.source).map { [$0] } ?? []))
  }

  /// Asks for processors before anything else.
  private mutating func walk(to slots: [UInt8]) {
    let new = slots.filter { walked.insert($0).inserted }
    open.insert(contentsOf: new.map { .processor($0) }, at: 0)
  }

  /// What was found, in the order of the slots.
  var signals: [RecoveredSignal] { RecoveredSignal.group(loggers, in: graph) }
}

extension Inventory {
  /// What this board's processors understand.
  var processorDialect: ProcessorDialect {
    ProcessorDialect(
      revision: revision(of: .processor) ?? 0, firmware: FirmwareVersion(device.firmwareRevision))
  }
}
