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
  @exclusivity(unchecked) var streams = StreamTable()
  var keys: [String: StreamKey] = [:]
  var random: SeededGenerator
  // Unchecked, because every packet needs them, in one isolation; nobody they are lent to comes back for them.
  @exclusivity(unchecked) private var decoded = DecodedPackets()
  @exclusivity(unchecked) private var outgoing: [FleetEvent] = []
  private var reports: [SessionReport] = []
  private var work: [SessionWork] = []
  private let workAlarm = Alarm()
  private let newsAlarm = Alarm()
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
    // The link lets go of both when it ends; a weak reference would be looked up for every packet.
    await link.open(
      received: { characteristic, packet, arrival in
        self.assumeIsolated { $0.received(packet, from: characteristic, at: arrival) }
      },
      ended: { failure in self.assumeIsolated { $0.ended(failure) } })
    await environment.heartbeat.join(self)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.tellNews() }
      await converse()
      group.cancelAll()
    }
    await environment.heartbeat.leave(self)
    await link.disconnect()
    for stream in streams.all { if let cutOff = stream.cutOff { orders.cutOff[stream.name] = cutOff } }
    if end == nil { ended(LinkFailure(.closed, "the session was closed")) }
    for unit in work { unit.abandon(because: end) }
    work.removeAll()
    await environment.deliver(takeFinished(force: true))
    if lastPacket != nil { noteLastPacket() }
    await handOutNews()
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
    // Taken out, so that nothing is counted while it is looked at.
    var decoded = DecodedPackets()
    swap(&decoded, &self.decoded)
    defer { swap(&decoded, &self.decoded) }
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
    let entries = decoded.readings.entries.span
    environment.counters.add(entries.count, to: .samplesIn)
    let values = decoded.readings.values.span
    for index in entries.indices {
      let entry = entries[index]
      take(entry.stream, at: entry.time, values.extracting(entry.values), uptime: uptime)
    }
    for (event, time) in decoded.events { reports.append(.event(event, at: time)) }
  }

  /// Puts one sample into its stream's lanes.
  func take(_ key: StreamKey, at time: Timestamp, _ values: Span<Double>, uptime: Duration) {
    guard let stream = streams[key] else { return }
    if let missed = stream.append(at: time, values, board: board, uptime: uptime, into: &outgoing) {
      noteMissed(missed, of: stream)
    }
    if !orders.cutOff.isEmpty, let cutOff = orders.cutOff.removeValue(forKey: stream.name) {
      reports.append(.resumed(stream: stream.name, cutOff, at: time))
    }
    if stream.isSilent {
      stream.isSilent = false
      reports.append(.silence(stream: stream.name, isSilent: false))
    }
    if !firstSampleWaiters.isEmpty, let wait = firstSampleWaiters.removeValue(forKey: key) {
      wait.continuation.resume(returning: true)
    }
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

  /// Looks after time-outs, polls and batches. Returns what the uplinks are to be told.
  func beat() -> [FleetEvent] {
    guard end == nil else { return [] }
    conversation.expire()
    expireFirstSampleWaits()
    queuePolls()
    // After a stall of ours, packets may still wait to be read.
    if punctuality.beat(at: uptime, period: Heartbeat.period) { watchForSilence() }
    if !reports.isEmpty || uptime - lastTold >= Self.sightingPeriod { noteLastPacket() }
    if !reports.isEmpty { newsAlarm.ring() }
    return takeFinished(force: false)
  }

  /// Batches that are complete, all with `force`, and live samples.
  private func takeFinished(force: Bool) -> [FleetEvent] {
    let uptime = uptime
    for stream in streams.all { stream.flush(at: uptime, force: force, into: &outgoing) }
    defer { outgoing.removeAll(keepingCapacity: true) }
    return outgoing
  }

  private func noteLastPacket() {
    guard let lastPacket else { return }
    lastTold = uptime
    reports.append(.packet(at: lastPacket))
  }

  /// Tells the supervisor what there is to tell, until the session's end.
  private func tellNews() async {
    while !Task.isCancelled {
      await newsAlarm.sleep(atMost: nil, by: environment.timekeeper)
      await handOutNews()
    }
    // Whoever waits for something waits for a session that works.
    ended(LinkFailure(.closed, "the session was stopped"))
  }

  private func handOutNews() async {
    let news = reports
    reports.removeAll(keepingCapacity: true)
    for report in news { await environment.report(report) }
  }

  func note(_ report: SessionReport) { reports.append(report) }

  /// Closes the lanes of a stream that ends here.
  func retire(_ key: StreamKey) {
    streams[key]?.flush(at: uptime, force: true, into: &outgoing)
    streams[key] = nil
  }
}
