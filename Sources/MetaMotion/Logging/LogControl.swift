import BoardKit
import FleetModel

/// The log of one board on one link: its state, on and off, reading it out, emptying it (protocol reference, section
/// 16).
final class LogControl: LogSource {
  private let exchange: Exchange
  private let inventory: Inventory
  private let programs: ProgramControl
  /// Runs while the log is read out. Unchecked, because every packet of it needs it, in one isolation.
  @exclusivity(unchecked) private var machine: LogDownloadMachine?
  /// Whether packets of a read-out came that we did not begin.
  private var hasStrays = false
  /// Questions this board left unanswered, which it is not asked again.
  private var unanswered: Set<Register> = []
  /// What we switched last, for boards that do not tell.
  private var believed: (isLogging: Bool?, isCircular: Bool?)
  /// What the board said last of its overwriting, unless we wrote that since.
  private var lastCircular: Bool?
  /// Whether the board tells what a read-out needs before and behind it.
  private var isPrepared = false
  /// The page that the last read-out was in doubt about.
  private var doubt: LogPageCheck.Copy?
  /// What the board's loggers were found to write down, once they were looked at.
  private var recovered: [LoggedStream]?

  private static let headers = LogMemory.enabledDuringReadOut.map(\.notificationHeader)

  /// How long a board may take to empty its log. The flash of a MetaMotion S is the largest there is.
  private static let clearing = Duration.seconds(30)
  /// How long the rest of a read-out that an earlier link began may take to run out.
  private static let strayLimit = Duration.seconds(30)

  init(exchange: Exchange, inventory: Inventory, programs: ProgramControl) {
    (self.exchange, self.inventory, self.programs) = (exchange, inventory, programs)
  }

  // How it stands.

  func status() async throws(ProtocolFailure) -> LogStatus {
    let clock = try await readClock()
    let entries = try await count()
    let isLogging = try await probe(LogMemory.logging).flatMap(LogMemory.isLogging)
    lastCircular = try await probe(LogMemory.overwriting)?.number(at: 2, as: UInt8.self).map { $0 != 0 }
    return LogStatus(
      clock: clock, entries: entries, capacity: inventory.logCapacity ?? 0,
      // A board that logs and does not say so is stopped before it is read out; one that does not is stopped in vain.
      isLogging: isLogging ?? believed.isLogging ?? true,
      isCircular: lastCircular ?? believed.isCircular ?? false,
      recycledPages: try await recycled(), pageSize: inventory.logPageSize)
  }

  func recount(_ known: LogStatus, withClock: Bool) async throws(ProtocolFailure) -> LogStatus {
    var status = known
    if withClock { status.clock = try await readClock() }
    status.entries = try await count()
    status.isLogging = believed.isLogging ?? known.isLogging
    if !withClock {
      status.recycledPages = nil
    } else if known.isCircular, 2 * status.entries >= status.capacity {
      // It may have given way since it was looked at.
      status.recycledPages = try await recycled()
    }
    return status
  }

  private func readClock() async throws(ProtocolFailure) -> ClockReading {
    let asked = exchange.conversation.uptime
    let reply = try await exchange.ask(LogClock.now)
    let error = (exchange.conversation.uptime - asked) / 2
    let time = Timestamp(
      nanoseconds: exchange.conversation.now.nanoseconds &- error.wholeNanoseconds)
    guard let clock = LogClock(reply) else { throw .unreadable(reply, as: "the log clock") }
    return ClockReading(
      clock: BoardTick(resetID: Int(clock.resetID), tick: clock.tick), time: time, error: error,
      uptime: exchange.conversation.uptime - error)
  }

  private func count() async throws(ProtocolFailure) -> Int {
    let length = try await exchange.ask(LogClock.length)
    guard let entries = LogClock.length(length) else {
      throw .unreadable(length, as: "the length of the log")
    }
    return Int(entries)
  }

  private func recycled() async throws(ProtocolFailure) -> Int? {
    try await probe(LogMemory.recycledPages)?.number(at: 2, as: UInt16.self).map(Int.init)
  }

  /// The answer to a read that not every firmware answers; nil where it does not.
  private func probe(_ register: Register) async throws(ProtocolFailure) -> [UInt8]? {
    guard !unanswered.contains(register) else { return nil }
    let reply = try await exchange.probe(register)
    if reply == nil { unanswered.insert(register) }
    return reply
  }

  // On and off.

  func start(overwriting isCircular: Bool) async throws(ProtocolFailure) {
    let start = LogMemory.start(overwriting: isCircular)
    // What the board said it does need not be written: each write costs samples.
    for command in start.dropFirst(lastCircular == isCircular ? 1 : 0) { try await exchange.write(command) }
    (believed, lastCircular) = ((true, isCircular), nil)
    guard try await probe(LogMemory.logging).flatMap(LogMemory.isLogging) == false else { return }
    // A write may get lost although the link goes on (fault F106).
    for command in start { try await exchange.write(command) }
    if try await probe(LogMemory.logging).flatMap(LogMemory.isLogging) == false {
      throw .unexpected("the board does not log after being started twice; reset it")
    }
  }

  func stop() async throws(ProtocolFailure) {
    try await exchange.write(LogMemory.stop)
    if try await probe(LogMemory.logging).flatMap(LogMemory.isLogging) == true {
      throw .unexpected("the board still logs after being stopped; reset it")
    }
    believed.isLogging = false
    // The last page lies in memory: without this its entries neither count nor come (fault F37).
    guard inventory.revision(of: .logging) ?? 0 >= LogMemory.firstRevisionWithFlush else { return }
    try await exchange.write(LogMemory.flush)
  }

  func clear() async throws(ProtocolFailure) {
    // Ignored while the board logs (fault F38). What `stop` has seen need not be asked for.
    if believed.isLogging != false,
      try await probe(LogMemory.logging).flatMap(LogMemory.isLogging) ?? believed.isLogging ?? true
    {
      try await exchange.write(LogMemory.stop)
      believed.isLogging = false
    }
    if !isPrepared { try await exchange.write(LogMemory.pageCompleted.subscribe) }
    let end = AnswerPattern([LogMemory.pageCompleted.write()], "the end of emptying the log")
    if try await exchange.probe(LogMemory.clear, answer: end, within: Self.clearing) != nil {
      try await exchange.write(LogMemory.confirmPage)
    }
    if !isPrepared { try await exchange.write(LogMemory.pageCompleted.unsubscribe) }
  }

  // Reading out.

  func prepareReadOut() async throws(ProtocolFailure) {
    for register in LogMemory.enabledDuringReadOut { try await exchange.write(register.subscribe) }
    isPrepared = true
  }

  func leaveReadOut() async throws(ProtocolFailure) {
    guard isPrepared else { return }
    isPrepared = false
    for register in LogMemory.enabledDuringReadOut { try await exchange.write(register.unsubscribe) }
  }

  func readOut(
    _ count: Int, mayErase: Bool, keep: (LogPage) async -> Bool
  ) async throws(ProtocolFailure) -> LogReadOutResult {
    // An empty log answers nothing (fault F36).
    guard count > 0 else { return LogReadOutResult(end: .finished, entries: 0) }
    try await outlastStrays()
    let tally = LogPageCheck(announced: count, pageSize: inventory.logPageSize, earlier: doubt)
    machine = LogDownloadMachine(tally, mayErase: mayErase, at: exchange.conversation.uptime)
    defer { machine = nil }
    doubt = nil
    do throws(ProtocolFailure) {
      if !isPrepared {
        for register in LogMemory.enabledDuringReadOut { try await exchange.write(register.subscribe) }
      }
      try await exchange.write(LogMemory.read(UInt32(clamping: count), progressEvery: 0))
    } catch {
      machine?.linkEnded()
    }
    while let began = machine?.pageBegan {
      // The socket may have run over while nobody read it (fault F24).
      if exchange.conversation.wasStalled(began) { machine?.stalled() }
      guard let step = machine?.step(at: exchange.conversation.uptime) else { break }
      do throws(ProtocolFailure) {
        switch step {
        case .keep(let page):
          let isKept = await keep(page)
          machine?.kept(isKept, at: exchange.conversation.uptime)
        case .confirmPage: try await exchange.write(LogMemory.confirmPage)
        case .wait(let limit): try await exchange.conversation.awaitProgress(within: limit)
        case .finish(let readOut):
          if readOut.end == .doubtful { doubt = machine?.tally.doubt }
          if !isPrepared {
            for register in LogMemory.enabledDuringReadOut { try await exchange.write(register.unsubscribe) }
          }
          return readOut
        case .giveUp: break
        }
      } catch {
        machine?.linkEnded()
      }
      if step == .giveUp { break }
    }
    throw .linkEnded(
      exchange.conversation.ending ?? LinkFailure(.closed, "the connection was lost during the log download"))
  }

  /// A read-out that an earlier link began may go on for a moment on this one, because subscriptions outlive links
  /// (trap T65): it stops at the end of its page, which nobody confirms. Its page notice must not be taken for one of
  /// ours.
  private func outlastStrays() async throws(ProtocolFailure) {
    let begun = exchange.conversation.uptime
    while hasStrays {
      guard exchange.conversation.uptime - begun < Self.strayLimit else {
        throw .unexpected("the board continues a read-out of an earlier connection")
      }
      hasStrays = false
      try await exchange.wait(for: LogDownloadMachine.quiet)
    }
  }

  /// Takes a packet of a read-out; nil for one that is none. Those that come while nothing is read out are never
  /// answered.
  func decode(_ packet: RawSpan) -> PacketVerdict? {
    guard let header = PacketDecoder.header(of: packet), Self.headers.contains(header) else { return nil }
    guard machine != nil else {
      hasStrays = true
      return .unwanted
    }
    let before = machine?.tally.malformed
    let isDue: Bool
    switch header {
    case LogMemory.entries.notificationHeader: isDue = machine?.receivedEntries(packet) ?? false
    case LogMemory.progress.notificationHeader: isDue = machine?.receivedProgress(packet) ?? false
    default:
      machine?.pageCompleted()
      isDue = true
    }
    if isDue { exchange.conversation.signalProgress() }
    return machine?.tally.malformed == before ? .taken : .malformed
  }

  // What it holds.

  func streams(anew: Bool) async throws(ProtocolFailure) -> [LoggedStream] {
    let ours = programs.logged
    let own = Set(ours.flatMap(\.slots))
    let areOthersKnown =
      recovered != nil || programs.loggerSlots?.allSatisfy({ own.contains(Int($0)) }) == true
    if anew || !areOthersKnown {
      let inspection = ResourceInspection(exchange: exchange, inventory: inventory, programs: programs)
      let recovery = try await inspection.recover()
      recovered = recovery.signals.map { $0.logged(ours: programs.memory.log(of: $0, in: recovery)) }
    }
    return ours + (recovered ?? []).filter { own.isDisjoint(with: $0.slots) }
  }
}

extension ProgramMemory {
  /// Under which name we made the loggers of a signal, as far as they hold what we put there; nil for others'.
  fileprivate func log(of signal: RecoveredSignal, in recovery: SignalRecovery) -> String? {
    let names = signal.loggers.map { slot in
      places.first { key, place in
        key.kind == .loggers && place.slot == slot && place.contents == recovery.loggers[slot]?.command
      }?.key.ownName
    }
    return Set(names).count == 1 ? names.first ?? nil : nil
  }
}
