import BoardKit
import FleetModel
import Support
import VirtualTime

@testable import Fleet

/// The flash of a toy board, which outlives its links: entries of four bytes, a logger's slot and a number, in pages of
/// ten. Pages vanish as they are confirmed.
actor ToyFlash {
  nonisolated let world: SeededWorld
  nonisolated var unownedExecutor: UnownedSerialExecutor { world.asUnownedSerialExecutor() }

  /// What goes wrong.
  struct Faults: Sendable {
    /// Falls silent before a page of that number, once.
    var silentBeforePage: Int?
    /// The link breaks behind a page of that number that was not confirmed yet, once.
    var breaksAtPage: Int?
    /// Logs so many samples and starts anew as soon as it is started, and the link breaks, once.
    var restartsAfter: Int?
    /// Entries that the board counts and never tells.
    var hidden = 0
    /// After clearing, it counts one entry that it does not hold.
    var isLengthStale = false
    /// Of the next so many pages that are told, three entries are lost on the way, of each others.
    var pagesWithLoss = 0
    /// Entries of the first page that the board counts and never tells.
    var neverTold = 0
    /// Loggers that it has no room for.
    var refused: Set<String> = []
  }

  private(set) var entries: [Int] = []
  private(set) var isLogging = false
  private(set) var isCircular = false
  private(set) var resetID = 5
  private(set) var loggers: [String: Int] = [:]
  private(set) var requests: [String: StreamRequest] = [:]
  var capacity = 10_000_000
  var faults = Faults()
  /// Whether it tells how large its pages are.
  var pageSize: Int?
  /// Clears, read-outs and stops, in order.
  private(set) var deeds: [String] = []
  private var written = 0
  private var recycled = 0

  init(world: SeededWorld) { self.world = world }

  func change(_ edit: @Sendable (inout Faults) -> Void) { edit(&faults) }
  func limit(to capacity: Int) { self.capacity = capacity }
  func announcePageSize() { pageSize = 10 }

  /// The board takes so many samples; only those that are logged are written. `slot`: of a logger that is not ours.
  func sample(_ count: Int, slot: Int? = nil) {
    for _ in 0..<count where isLogging || slot != nil {
      if entries.count >= capacity {
        guard isCircular else { continue }
        entries.removeFirst(10)
        recycled += 1
      }
      for slot in slot.map({ [$0] }) ?? loggers.values.sorted() {
        entries.append(slot << 24 | written)
        written += 1
      }
    }
  }

  /// A reset: what is written stays, loggers go.
  func reboot() { (resetID, isLogging, loggers, requests) = (resetID + 1, false, [:], [:]) }

  /// Loggers that nobody of us made. `isKnown`: what they log can be told.
  private(set) var foreign: [LoggedStream] = []
  func addLogger(slot: Int, isKnown: Bool) {
    foreign.append(
      LoggedStream(
        name: isKnown ? "switch" : "logger", fields: [], slots: [slot], layout: isKnown ? [1] : [],
        isOurs: false))
  }

  /// What runs for somebody else.
  private(set) var usedByOthers: [String] = []
  func occupy(_ sensor: String) { usedByOthers.append(sensor) }

  /// Somebody else switches logging off.
  func disturb() { isLogging = false }

  func take(_ wanted: [String: StreamRequest]) -> ProgramApplied {
    var applied = ProgramApplied()
    for name in wanted.keys where faults.refused.contains(name) {
      applied.refusedLogs[name] = CommandFailure(
        .noSlots, "no logger is left", data: ["needed": 2, "free": 0])
    }
    let taken = wanted.filter { applied.refusedLogs[$0.key] == nil }
    loggers = loggers.filter { taken[$0.key] != nil }
    for name in taken.keys.sorted() where loggers[name] == nil {
      loggers[name] = (0..<8).first { slot in !loggers.values.contains(slot) }
    }
    requests = taken
    applied.logged = streams
    return applied
  }

  var streams: [LoggedStream] {
    requests.values.sorted { $0.name < $1.name }.map { request in
      LoggedStream(
        name: request.name, fields: [], slots: loggers[request.name].map { [$0] } ?? [], layout: [1],
        configuration: request.configuration)
    }
  }

  var status: LogStatus {
    LogStatus(
      clock: ClockReading(
        clock: BoardTick(resetID: resetID, tick: UInt32(clamping: world.uptime.wholeMilliseconds)),
        time: world.now, error: .milliseconds(10)),
      entries: entries.count + (entries.isEmpty ? stale : faults.hidden + faults.neverTold),
      capacity: capacity, isLogging: isLogging, isCircular: isCircular, recycledPages: recycled,
      pageSize: pageSize)
  }

  private var stale: Int { faults.isLengthStale && deeds.contains("clear") ? 1 : 0 }

  /// Whether the link holds.
  func start(_ isCircular: Bool) -> Bool {
    (isLogging, self.isCircular) = (true, isCircular)
    guard let count = faults.restartsAfter else { return true }
    faults.restartsAfter = nil
    sample(count)
    reboot()
    return false
  }

  func stop() {
    isLogging = false
    deeds.append("stop")
  }

  func note(_ deed: String) { deeds.append(deed) }

  func clear() {
    // A board that logs ignores it.
    guard !isLogging else { return }
    entries = []
    deeds.append("clear")
  }

  /// A page: its entries; nil when the board says nothing.
  func page(_ number: Int, first: Int) -> [Int]? {
    if number == 0 { deeds.append("read") }
    if faults.silentBeforePage == number {
      faults.silentBeforePage = nil
      return nil
    }
    return Array(entries.dropFirst(first).prefix(10))
  }

  func breaks(at page: Int) -> Bool {
    guard faults.breaksAtPage == page else { return false }
    faults.breaksAtPage = nil
    return true
  }

  /// What arrives of a page.
  func arrives(_ page: [Int]) -> [Int] {
    guard faults.pagesWithLoss > 0 else { return page }
    faults.pagesWithLoss -= 1
    deeds.append("lose")
    let first = faults.pagesWithLoss % 7
    return page.enumerated().filter { !(first..<first + 3).contains($0.offset) }.map(\.element)
  }

  /// Whether a page of which less arrived than was counted came so before. Such entries are told by nobody.
  func isDoubtful(_ arrived: [Int], of page: [Int]) -> Bool {
    guard arrived.count < page.count || faults.neverTold > 0 else { return false }
    defer { lastArrived = arrived }
    return lastArrived != arrived
  }
  private var lastArrived: [Int]?

  func takeNeverTold() -> Int {
    defer { faults.neverTold = 0 }
    return faults.neverTold
  }

  func confirm(_ count: Int) { entries.removeFirst(min(count, entries.count)) }
}

/// The log of a toy board on one link.
final class ToyLog: LogSource {
  private let flash: ToyFlash
  private let conversation: Conversation

  init(_ flash: ToyFlash, _ conversation: Conversation) {
    (self.flash, self.conversation) = (flash, conversation)
  }

  func streams(anew: Bool) async -> [LoggedStream] { await flash.streams + flash.foreign }

  func status() async throws(ProtocolFailure) -> LogStatus {
    try await life()
    return await flash.status
  }

  func start(overwriting isCircular: Bool) async throws(ProtocolFailure) {
    try await life()
    guard await flash.start(isCircular) else {
      throw .linkEnded(LinkFailure(.linkLost, "the board starts anew"))
    }
  }

  func stop() async throws(ProtocolFailure) {
    try await life()
    await flash.stop()
  }

  func clear() async throws(ProtocolFailure) {
    try await life()
    await flash.clear()
  }

  func prepareReadOut() async throws(ProtocolFailure) {}
  func leaveReadOut() async throws(ProtocolFailure) {}

  func recount(_ known: LogStatus, withClock: Bool) async throws(ProtocolFailure) -> LogStatus {
    try await life()
    var status = await flash.status
    if !withClock { (status.clock, status.recycledPages) = (known.clock, nil) }
    return status
  }

  func readOut(
    _ count: Int, mayErase: Bool, keep: (LogPage) async -> Bool
  ) async throws(ProtocolFailure) -> LogReadOutResult {
    var (received, missing) = (0, 0)
    let begun = conversation.uptime
    for number in 0... {
      try await life()
      guard let entries = await flash.page(number, first: 0) else {
        return LogReadOutResult(end: .silent, entries: received)
      }
      if entries.isEmpty { break }
      if await flash.breaks(at: number) {
        // Half a page came.
        _ = await keep(LogPage(entries: Self.bytes(entries.prefix(5)), endsPage: false, left: nil))
        throw .linkEnded(LinkFailure(.linkLost, "in mid page"))
      }
      let arrived = await flash.arrives(entries)
      received += arrived.count
      let isDoubtful = await flash.isDoubtful(arrived, of: entries)
      if isDoubtful || conversation.wasStalled(begun) {
        _ = await keep(LogPage(entries: Self.bytes(arrived[...]), endsPage: false, left: nil))
        return LogReadOutResult(end: .doubtful, entries: received)
      }
      let neverTold = mayErase ? await flash.takeNeverTold() : 0
      let page = LogPage(
        entries: Self.bytes(arrived[...]), endsPage: true, left: count - received,
        missing: neverTold + (mayErase ? entries.count - arrived.count : 0))
      missing += page.missing
      guard await keep(page) else { return LogReadOutResult(end: .notKept, entries: received) }
      try await life()
      guard mayErase else {
        return LogReadOutResult(end: received < count ? .needsErasure : .finished, entries: received)
      }
      await flash.confirm(entries.count)
      await flash.note("confirm")
    }
    return LogReadOutResult(end: .finished, entries: received, missing: missing)
  }

  static func bytes(_ entries: ArraySlice<Int>) -> [UInt8] {
    entries.flatMap { entry in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: entry >> $0) } }
  }

  private func life() async throws(ProtocolFailure) {
    _ = try await conversation.ask(
      [0x01], to: ToyFamily.command, answer: AnswerPattern([[0x81]], "a sign of life"))
  }
}

/// Every entry of a known slot is a sample.
struct ToyDecoder: LogDecoder {
  var slots: [Int: Int]
  var rest: [UInt8] { [] }

  func decode(_ entries: RawSpan, doubtful: ArraySlice<Int>, into decoded: inout DecodedLog) {
    for offset in stride(from: 0, to: entries.byteCount - 3, by: 4) {
      let slot = Int(entries.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
      guard let stream = slots[slot] else {
        decoded.unknown[slot, default: 0] += 1
        continue
      }
      decoded.entries.append(
        DecodedLog.Entry(stream: stream, clock: BoardTick(resetID: 0, tick: 0), values: 0..<0))
    }
  }
}

extension ToyFamily {
  /// The family with boards that have a flash.
  static func descriptor(with flash: ToyFlash) -> FamilyDescriptor {
    var family = descriptor
    family.logFormat = LogFormat(
      entrySize: 4, timing: BoardTiming(nanoseconds: 1_000_000, perTicks: 1, resetIDs: 8),
      clock: { _, _ in nil },
      makeDecoder: { streams, _ in
        ToyDecoder(
          slots: Dictionary(
            streams.enumerated().filter { !$0.element.layout.isEmpty }.flatMap { index, stream in
              stream.slots.map { ($0, index) }
            },
            uniquingKeysWith: { first, _ in first }))
      })
    family.makeDriver = { ToyDriver($0, flash: flash) }
    return family
  }

  /// The family with boards that take firmware.
  static func descriptor(with firmware: ToyFirmware) -> FamilyDescriptor {
    var family = descriptor
    family.bootloader = BootloaderFamily(
      requiredCharacteristics: [command], notifications: [], windows: [10, 4, 1],
      owners: { [$0, BoardID(BluetoothAddress(rawValue: $0.address.rawValue - 1))] },
      makeDriver: { ToyBootloader(firmware, $0) })
    family.makeDriver = { ToyDriver($0, firmware: firmware) }
    return family
  }
}

/// Hears of the steps of downloads.
actor StepListener {
  nonisolated let world: SeededWorld
  nonisolated var unownedExecutor: UnownedSerialExecutor { world.asUnownedSerialExecutor() }
  private var listener: @Sendable (DownloadStep) async -> Void = { _ in }

  init(world: SeededWorld) { self.world = world }

  func listen(_ listener: @escaping @Sendable (DownloadStep) async -> Void) { self.listener = listener }
  func passed(_ step: DownloadStep) async { await listener(step) }
}
