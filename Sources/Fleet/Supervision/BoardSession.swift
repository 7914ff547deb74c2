import BoardKit
import FleetModel

/// One link's life: from the interview to the last packet. Made for the link and gone with it; nothing is reset.
///
/// Runs on the radio's executor: packets come in without a hop, are decoded and put into lanes synchronously; only
/// finished batches leave, a few times a second.
actor BoardSession {
  nonisolated let board: BoardID
  nonisolated let link: any BoardLink
  private nonisolated let executor: any SerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  let environment: SessionEnvironment
  let conversation: Conversation
  let driver: any BoardDriver
  var orders: SessionOrders
  var streams: [StreamKey: SessionStream] = [:]
  var keys: [String: StreamKey] = [:]
  var random: SeededGenerator
  private var decoded = DecodedPackets()
  private var outgoing: [FleetEvent] = []
  private var reports: [SessionReport] = []
  private var work: [SessionWork] = []
  private let workAlarm = Alarm()
  private var malformed = MalformedPackets()
  private(set) var punctuality = Punctuality()
  private(set) var end: LinkFailure?
  private(set) var isAnswered = false
  private var lastPacket: Timestamp?
  private var lastTold = Duration.zero
  var firstSampleWaiters: [StreamKey: FirstSampleWait] = [:]
  var nextBattery: Timestamp?
  var isBatteryQueued = false
  var isEndOfLeftOversQueued = false
  /// Streams whose poll waits for its turn: one of each at a time.
  var queuedPolls: Set<StreamKey> = []

  /// How often time-outs, batches and polls are looked after.
  static let heartbeat = Duration.milliseconds(100)
  /// How often the supervisor hears that packets come.
  static let sightingPeriod = Duration.seconds(10)

  init(
    link: any BoardLink, executor: any SerialExecutor, orders: SessionOrders, environment: SessionEnvironment
  ) {
    board = link.board
    self.link = link
    self.executor = executor
    self.orders = orders
    self.environment = environment
    conversation = Conversation(link: link, timekeeper: environment.timekeeper)
    driver = environment.family.makeDriver(conversation)
    random = SeededGenerator(seed: environment.seed)
  }

  var uptime: Duration { environment.timekeeper.uptime }
  var now: Timestamp { environment.timekeeper.now }

  /// Where the streams broke off, after `run`.
  var cutOff: [String: CutOff] { orders.cutOff }

  /// Lives until the link ends. Returns why it ended and whether the board ever answered.
  func run() async -> (failure: LinkFailure, wasAnswered: Bool) {
    await link.open(
      received: { [weak self] characteristic, packet, arrival in
        self?.assumeIsolated { $0.received(packet, from: characteristic, at: arrival) }
      },
      ended: { [weak self] failure in self?.assumeIsolated { $0.ended(failure) } })
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.beat() }
      await converse()
      group.cancelAll()
    }
    await link.disconnect()
    for stream in streams.values { if let cutOff = stream.cutOff { orders.cutOff[stream.name] = cutOff } }
    if end == nil { ended(LinkFailure(.closed, "the session was closed")) }
    for unit in work { unit.abandon(because: end) }
    work.removeAll()
    await handOut(force: true)
    return (end ?? LinkFailure(.closed, "the session was closed"), isAnswered)
  }

  /// Ends the session from our side; `run` returns soon after.
  func close() { ended(LinkFailure(.closed, "the gateway ended the link")) }

  /// Ends the session because talking to the board has become pointless.
  func fail(because failure: LinkFailure) { ended(failure) }

  // Packets.

  private func received(_ packet: RawSpan, from characteristic: Characteristic, at arrival: Timestamp) {
    lastPacket = arrival
    if conversation.offer(packet) { return }
    decoded.removeAll()
    switch driver.decode(packet, from: characteristic, at: arrival, into: &decoded) {
    case .taken: break
    case .unwanted:
      environment.counters.add(to: .packetsUnwanted)
      queueEndOfLeftOvers()
    case .malformed:
      environment.counters.add(to: .packetsMalformed)
      if malformed.isTooMuch(at: uptime) {
        ended(LinkFailure(.silent, "the board sent nothing but unreadable packets"))
      }
    }
    let uptime = uptime
    for entry in decoded.readings.entries {
      let sample = decoded.readings.values.span.extracting(entry.values)
      take(entry.stream, at: entry.time, sample, uptime: uptime)
    }
    for (event, time) in decoded.events { reports.append(.event(event, at: time)) }
  }

  /// Puts one sample into its stream's lanes.
  func take(_ key: StreamKey, at time: Timestamp, _ values: Span<Double>, uptime: Duration) {
    environment.counters.add(to: .samplesIn)
    guard streams[key] != nil else { return }
    if let missed = streams[key]?.append(at: time, values, board: board, uptime: uptime, into: &outgoing) {
      noteMissed(missed, of: key)
    }
    if !orders.cutOff.isEmpty, let name = streams[key]?.name,
      let cutOff = orders.cutOff.removeValue(forKey: name)
    {
      reports.append(.resumed(stream: name, cutOff, at: time))
    }
    if streams[key]?.isSilent == true {
      streams[key]?.isSilent = false
      reports.append(.silence(stream: streams[key]?.name ?? "", isSilent: false))
    }
    if let wait = firstSampleWaiters.removeValue(forKey: key) { wait.continuation.resume(returning: true) }
  }

  private func ended(_ failure: LinkFailure) {
    guard end == nil else { return }
    end = failure
    conversation.end(because: failure)
    for (_, wait) in firstSampleWaiters.sorted(by: { $0.key < $1.key }) {
      wait.continuation.resume(returning: false)
    }
    firstSampleWaiters.removeAll()
    workAlarm.ring()
  }

  // Conversation with the board: one thing at a time.

  private func converse() async {
    do throws(ProtocolFailure) {
      try await interview()
      if orders.relaxesLink { try await driver.relaxLink() }
      await applyStreams()
      await proveLifeIfDoubtful()
    } catch {
      return ended(Self.linkFailure(error))
    }
    while end == nil, !Task.isCancelled {
      guard !work.isEmpty else {
        await workAlarm.sleep(atMost: nil, by: environment.timekeeper)
        continue
      }
      await work.removeFirst().run(in: self)
      await proveLifeIfDoubtful()
    }
  }

  /// Some firmware leaves some questions unanswered. A board that leaves all of them is not there any more, whatever
  /// the system says (fault F28).
  private func proveLifeIfDoubtful() async {
    guard conversation.takeSilence(), end == nil else { return }
    do throws(ProtocolFailure) { try await driver.proveLife() } catch { ended(Self.linkFailure(error)) }
  }

  private func interview() async throws(ProtocolFailure) {
    for characteristic in environment.family.notifications {
      do throws(LinkFailure) { try await link.subscribe(to: characteristic) } catch {
        throw .linkEnded(error)
      }
    }
    let interview = try await driver.interview(remembering: orders.driverMemory)
    isAnswered = true
    orders.driverMemory = interview.memory
    let hasRebooted = orders.boots.observe(resetID: interview.resetID, bootTime: interview.bootTime)
    await environment.report(.interviewed(interview, orders.boots, hasRebooted: hasRebooted))
  }

  static func linkFailure(_ failure: ProtocolFailure) -> LinkFailure {
    switch failure {
    case .linkEnded(let link): link
    case .silent(let question, let limit):
      LinkFailure(.silent, "no answer to \(question) within \(DurationText.format(limit))")
    case .unexpected(let what): LinkFailure(.silent, "the board answered something unexpected: \(what)")
    case .unknownModel(let model): LinkFailure(.notPermitted, "the board is of an unknown model: \(model)")
    }
  }

  /// Queues something for the board.
  func enqueue(_ unit: SessionWork) {
    guard end == nil else { return unit.abandon(because: end) }
    work.append(unit)
    workAlarm.ring()
  }

  // The heartbeat.

  private func beat() async {
    while end == nil, !Task.isCancelled {
      do { try await environment.timekeeper.sleep(for: Self.heartbeat) } catch {
        // Nobody looks after time-outs from here on, so nobody may wait for one.
        return ended(LinkFailure(.closed, "the session was stopped"))
      }
      conversation.expire()
      expireFirstSampleWaits()
      queuePolls()
      // After a stall of ours, packets may still wait to be read.
      if punctuality.beat(at: uptime, period: Self.heartbeat) { watchForSilence() }
      await handOut(force: false)
    }
  }

  /// Hands finished batches to the uplinks and news to the supervisor.
  func handOut(force: Bool) async {
    let uptime = uptime
    for key in streams.keys.sorted() { streams[key]?.flush(at: uptime, force: force, into: &outgoing) }
    let events = outgoing
    let news = reports
    outgoing.removeAll(keepingCapacity: true)
    reports.removeAll()
    if !events.isEmpty { await environment.deliver(events) }
    for report in news { await environment.report(report) }
    if let lastPacket, force || !news.isEmpty || uptime - lastTold >= Self.sightingPeriod {
      lastTold = uptime
      await environment.report(.packet(at: lastPacket))
    }
  }

  func note(_ report: SessionReport) { reports.append(report) }

  /// Closes the lanes of a stream that ends here.
  func retire(_ key: StreamKey) {
    streams[key]?.flush(at: uptime, force: true, into: &outgoing)
    streams[key] = nil
  }
}
