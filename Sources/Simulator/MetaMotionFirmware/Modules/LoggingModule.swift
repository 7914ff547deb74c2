/// The loggers, what they have recorded and its read-out, and the log's clock (protocol reference 16).
struct LoggingModule: FirmwareModule {
  static let id: UInt8 = 0x0B
  static let name = "logging"
  static let consumesSignals = true

  private enum Register {
    static let enable: UInt8 = 0x01
    static let logger: UInt8 = 0x02
    static let remove: UInt8 = 0x03
    static let clock: UInt8 = 0x04
    static let length: UInt8 = 0x05
    static let readOut: UInt8 = 0x06
    static let entries: UInt8 = 0x07
    static let progress: UInt8 = 0x08
    static let drop: UInt8 = 0x09
    static let removeAll: UInt8 = 0x0A
    static let overwrite: UInt8 = 0x0B
    static let pagesErased: UInt8 = 0x0C
    static let pageCompleted: UInt8 = 0x0D
    static let confirmPage: UInt8 = 0x0E
    static let flush: UInt8 = 0x10
  }

  let streams: Set<UInt8> = [Register.entries, Register.progress, Register.pageCompleted]

  /// The id of an entry has five bits.
  private static let mostLoggers = 32

  private let emptySlot: [UInt8]?
  private let assumptions: LogAssumptions
  private var loggers: SlotTable<Logger>
  private var log: EntryLog
  private var isLogging = false
  private var readOut: LogReadOut?
  private var nextPacket: Duration?

  init(_ board: Mainboard) {
    let extra = board.model.extra(of: Self.id)
    emptySlot = board.assumptions.emptySlotReply.payload
    assumptions = board.assumptions.log
    loggers = SlotTable(count: min(Int(extra.first ?? 8), Self.mostLoggers))
    log = EntryLog(
      capacity: UInt32(littleEndian: extra, at: 1).map(Int.init) ?? 0,
      // Only these boards tell the size of a page.
      gathersPages: extra.count >= 7, assumptions: board.assumptions.log,
      keepsLedger: board.ledger.contains(.log))
  }

  /// The entries are in flash, and on current firmware the loggers as well.
  mutating func reset(on board: inout Mainboard) {
    isLogging = false
    endReadOut()
    log.losePower()
    notifyLedger(of: &board)
    if !board.assumptions.loggersSurviveReset { loggers.removeAll() }
  }

  /// Other firmware has taken the flash.
  mutating func loseEverything(on board: inout Mainboard) {
    log.loseEverything()
    notifyLedger(of: &board)
  }

  mutating func write(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) {
    defer { notifyLedger(of: &board) }
    switch (register, payload.count) {
    case (Register.enable, 1) where payload[0] <= 1: isLogging = payload[0] == 1
    case (Register.logger, 4):
      guard let logger = Logger(payload), let slot = loggers.insert(logger) else { return }
      board.acknowledge(Self.id, Register.logger, [slot])
    case (Register.remove, 1): loggers[payload[0]] = nil
    case (Register.removeAll, 0): loggers.removeAll()
    case (Register.overwrite, 1) where payload[0] <= 1: log.overwritesOldest = payload[0] == 1
    case (Register.drop, 4):
      // Ignored while logging (protocol reference 16.3).
      guard !isLogging, let count = UInt32(littleEndian: payload) else { return }
      log.dropOldest(Int(count))
      endReadOut()
      board.fire(Self.id, Register.pageCompleted, [])
    case (Register.readOut, 8):
      guard !isLogging || assumptions.readsOutWhileLogging, let count = UInt32(littleEndian: payload),
        let reportsEvery = UInt32(littleEndian: payload, at: 4)
      else { return }
      board.note(.readOut(Int(count)))
      readOut = LogReadOut(count, reportsEvery: reportsEvery, of: log, assumptions: assumptions)
      nextPacket = count == 0 || log.count == 0 ? nil : board.now + LogReadOut.pace
    case (Register.confirmPage, 0):
      guard readOut?.isWaiting == true else { return }
      readOut?.confirm(in: &log)
      nextPacket = readOut?.hasEnded == false ? board.now + LogReadOut.pace : nil
    case (Register.flush, 1) where payload[0] == 1: log.flush()
    default: break
    }
  }

  mutating func read(_ register: UInt8, _ payload: [UInt8], on board: inout Mainboard) -> [UInt8]? {
    switch (register, payload.count) {
    case (Register.enable, 0): return [isLogging && !(assumptions.fullLogStops && isFull) ? 1 : 0]
    case (Register.logger, 1): return loggers[payload[0]]?.bytes ?? emptySlot
    case (Register.clock, 0):
      return LogClock.ticks(at: board.uptime).littleEndianBytes + [board.start.resetCount]
    case (Register.length, 0): return UInt32(clamping: log.length).littleEndianBytes
    case (Register.overwrite, 0): return [log.overwritesOldest ? 1 : 0]
    case (Register.pagesErased, 0):
      return [UInt8(truncatingIfNeeded: log.pagesErased), UInt8(log.pagesErased >> 8)]
    default: return nil
    }
  }

  func nextEvent(on board: Mainboard) -> Duration? { nextPacket }

  mutating func fire(on board: inout Mainboard) {
    guard let due = nextPacket, due <= board.now else { return }
    let size = readOut?.sent ?? 0
    let hasPageNotices = board.isSubscribed(Self.id, Register.pageCompleted)
    for notice in readOut?.next(of: log, hasPageNotices: hasPageNotices) ?? [] {
      switch notice {
      case .entries(let entries): board.fire(Self.id, Register.entries, entries.flatMap(\.bytes))
      case .pageCompleted:
        board.note(.page(max(size, readOut?.sent ?? 0)))
        // Whether or not somebody asked for it: the read-out goes on only when it is answered (protocol reference
        // 16.5).
        board.announce(Self.id, Register.pageCompleted, [])
      case .progress(let left): board.fire(Self.id, Register.progress, left.littleEndianBytes)
      }
    }
    let goesOn = readOut.map { !$0.isWaiting && !$0.hasEnded } ?? false
    nextPacket = goesOn ? due + LogReadOut.pace : nil
  }

  /// What was not confirmed stays in the log.
  mutating func linkGone(on board: inout Mainboard) { endReadOut() }

  private var isFull: Bool { log.isFull && !log.overwritesOldest }

  private mutating func notifyLedger(of board: inout Mainboard) {
    for change in log.takeChanges() { board.note(change) }
  }

  private mutating func endReadOut() {
    readOut = nil
    nextPacket = nil
  }

  var sources: Set<SignalSource> {
    Set(loggers.flatMap { ReadForm.accepted(for: $0.value.source) })
  }

  mutating func receive(_ signal: Signal, on board: inout Mainboard) {
    guard isLogging else { return }
    defer { notifyLedger(of: &board) }
    for (slot, logger) in loggers {
      guard ReadForm.reaches(logger.source, from: signal.source, as: .logger, on: board),
        let data = logger.slice.bytes(of: signal.payload)
      else { continue }
      log.append(
        LogEntry(
          logger: slot, resetCount: board.start.resetCount, tick: LogClock.ticks(at: board.uptime),
          data: data))
    }
  }
}
