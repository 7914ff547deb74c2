package import BoardKit
package import FleetModel

/// What comes in on one link: packets are decoded and their samples put into the lanes of their streams, synchronously;
/// only finished batches leave, a few times a second, by way of what all intakes of a radio share.
///
/// An object confined to its session's executor, and not the session itself: to enter an actor for every packet costs
/// as much as to decode the packet. What a packet changes is unchecked for the same reason; nobody it is lent to comes
/// back for it.
package final class PacketIntake {
  /// What the session has to see to after a packet.
  package enum Concern {
    case none
    /// A stream brings what was awaited of it.
    case proved
    /// Packets come that nobody asked for.
    case staleSubscriptions
    /// Too many packets could not be read.
    case unreadable
  }

  @exclusivity(unchecked) var streams = StreamTable()
  /// Where streams ended: those that an earlier link cut off until their first sample here, the others as they end.
  @exclusivity(unchecked) var ends = StreamEnds()
  /// From when on the live lanes of streams that ended let a sample through, by name.
  private var liveDue: [String: Timestamp] = [:]
  @exclusivity(unchecked) private var reports: [SessionReport] = []
  /// Whether a stream brought what was awaited of it, until that is reported.
  @exclusivity(unchecked) private var hasProof = false
  @exclusivity(unchecked) private var firstSampleWaits: [StreamKey: FirstSampleWaiter] = [:]
  /// Streams that bring values that cannot be, by name.
  @exclusivity(unchecked) var spells: [String: ImpossibleEpisode] = [:]
  @exclusivity(unchecked) private(set) var lastPacket: Timestamp?
  private var malformed = MalformedPackets()

  private let board: BoardID
  private let conversation: Conversation
  private let driver: any BoardDriver
  let counters: Counters
  let timekeeper: any Timekeeper
  private let shared: SharedIntake

  package init(
    board: BoardID, conversation: Conversation, driver: any BoardDriver, counters: Counters,
    timekeeper: any Timekeeper, shared: SharedIntake
  ) {
    self.board = board
    self.conversation = conversation
    self.driver = driver
    self.counters = counters
    self.timekeeper = timekeeper
    self.shared = shared
  }

  /// Takes one packet.
  package func receive(
    _ packet: RawSpan, from characteristic: Characteristic, at arrival: Timestamp
  ) -> Concern {
    lastPacket = arrival
    if conversation.offer(packet) { return .none }
    // Taken out, so that nothing is counted while it is looked at.
    var decoded = DecodedPackets()
    swap(&decoded, &shared.decoded)
    defer { swap(&decoded, &shared.decoded) }
    decoded.removeAll()
    switch driver.decode(packet, from: characteristic, at: arrival, into: &decoded) {
    case .taken: break
    case .unwanted:
      counters.add(to: .packetsUnwanted)
      return .staleSubscriptions
    case .malformed:
      counters.add(to: .packetsMalformed)
      return malformed.isTooMuch(at: timekeeper.uptime) ? .unreadable : .none
    }
    let uptime = timekeeper.uptime
    counters.add(decoded.readings.count, to: .samplesIn)
    decoded.readings.read { entries, values in
      // A packet's samples are of one stream, or at least lie side by side.
      var start = 0
      while start < entries.count {
        let key = entries[start].stream
        var end = start + 1
        while end < entries.count, entries[end].stream == key { end += 1 }
        take(key, entries.extracting(start..<end), values, uptime: uptime)
        start = end
      }
    }
    for (event, time) in decoded.events { reports.append(.event(event, at: time)) }
    guard hasProof else { return .none }
    hasProof = false
    return .proved
  }

  /// Takes a sample that was asked for. Returns whether it can be.
  @discardableResult
  func takePolled(_ key: StreamKey, at time: Timestamp, _ values: [Double]) -> Bool {
    let before = streams[key]?.taken
    counters.add(to: .samplesIn)
    let entry = ReadingBuffer.Entry(stream: key, time: time, values: 0..<values.count)
    take(key, [entry].span, values.span, uptime: timekeeper.uptime)
    return streams[key]?.taken != before
  }

  /// A sample that was asked for did not come.
  func notePoll(of key: StreamKey, failed failure: CommandFailure) {
    if streams[key]?.failed(failure) == true { note(.samples(verification)) }
  }

  /// Puts samples of one stream, at least one, into its lanes.
  private func take(
    _ key: StreamKey, _ samples: Span<ReadingBuffer.Entry>, _ values: Span<Double>, uptime: Duration
  ) {
    guard let stream = streams[key] else { return }
    let before = stream.taken
    let setForward = shared.setForward
    stream.take(
      samples, values, board: board, uptime: uptime, setForward: setForward, into: &shared.outgoing)
    shared.note(stream, of: board)
    if stream.hasFindings { notePacketResult(of: stream) }
    if stream.quality.isSuspect { noteQuality(of: stream, at: uptime) }
    // Samples that were left out are none.
    guard stream.taken != before else { return }
    if before == 0, let begun = stream.begun(of: board, behind: ends.cutOff[stream.name]) {
      shared.outgoing.append(.stream(.began(begun)))
    }
    if !ends.cutOff.isEmpty || stream.isMissed || !firstSampleWaits.isEmpty {
      noteReturn(of: stream)
    }
  }

  /// Somebody may have waited for samples of this stream. Apart, because hardly any packet comes here.
  @inline(never)
  private func noteReturn(of stream: SessionStream) {
    guard let time = stream.stamps.first else { return }
    if let cutOff = ends.cutOff.removeValue(forKey: stream.name) {
      let missing = cutOff.untold(of: stream.missing(since: cutOff, before: time))
      counters.add(max(0, missing), to: .samplesLost)
      reports.append(
        .resumed(
          stream: stream.name, cutOff, at: time, missing: missing,
          begun: stream.begun(of: board, behind: cutOff)))
    }
    if stream.silence.isReported { reports.append(.silence(stream: stream.name, isSilent: false)) }
    if stream.isMissed {
      stream.silence.end()
      hasProof = true
      reports.append(.samples(verification))
    }
    firstSampleWaits.removeValue(forKey: stream.key)?.continuation.resume(returning: true)
  }

  /// Tells what turned out to be missing, and whether as many samples come as should.
  func watchRates(at uptime: Duration) {
    for stream in streams.all {
      if stream.hasFindings { notePacketResult(of: stream) }
      guard let fault = stream.watchRate(at: uptime) else { continue }
      stream.change(stream.active.doubts, into: &shared.outgoing)
      reports.append(.rate(stream: stream.name, fault))
      reports.append(.samples(verification))
    }
  }

  /// Samples that were dropped on their way: where our own reader was held up the socket ran over, otherwise it was
  /// the radio (fault F24, invariant I12).
  @inline(never)
  func notePacketResult(of stream: SessionStream) {
    counters.add(stream.takeDuplicates(), to: .packetsDoubled)
    for missed in stream.takeMissed() {
      counters.add(missed.count, to: .samplesLost)
      reports.append(
        .missed(
          stream: stream.name, session: stream.session, missed,
          isOverflow: shared.wasStalled(since: missed.since)))
    }
  }
}

// Streams.
extension PacketIntake {
  /// Makes a stream's lanes; does nothing for a name that the catalogue lacks.
  package func open(_ active: ActiveStream, boot: Int, session: ULID, limits: LaneLimits) {
    streams[active.key] = SessionStream(
      active, board: board, boot: boot, session: session, limits: limits, uptime: timekeeper.uptime,
      liveDue: liveDue[active.request.name], behind: ends.lastStamp[active.request.name])
    if let cutOff = ends.cutOff[active.request.name] {
      streams[active.key]?.followsGap(since: cutOff)
    }
    streams[active.key]?.quality.isSuspect = isSuspect(active.request.name)
  }

  /// The samples of a stream are good from here on, or `doubts` speak against them.
  func change(_ doubts: Set<QualityReason>, of key: StreamKey) {
    streams[key]?.change(doubts, into: &shared.outgoing)
  }

  /// Other limits of all lanes.
  func change(to limits: LaneLimits) {
    for stream in streams.all { stream.change(to: limits) }
  }

  /// Closes the lanes of a stream that ends here.
  func retire(_ key: StreamKey) {
    guard let stream = streams[key] else { return }
    finish(stream)
    if stream.taken > 0 { shared.outgoing.append(.stream(.ended(stream.session))) }
    if let due = stream.liveDue { liveDue[stream.name] = due }
    if let last = stream.stamps.last { ends.lastStamp[stream.name] = last }
    streams[key] = nil
  }

  /// The board stops and starts a stream by itself from now on, or no longer.
  func setControlledOnDevice(_ stream: SessionStream, _ isControlledOnDevice: Bool) {
    guard stream.isControlledOnDevice != isControlledOnDevice else { return }
    finish(stream)
    stream.isControlledOnDevice = isControlledOnDevice
  }

  /// A stream is stopped and started anew: samples are lost in between.
  func restart(_ stream: SessionStream) {
    finish(stream)
    stream.followsGap()
  }

  /// Lets everything of a stream go that waits.
  private func finish(_ stream: SessionStream) {
    let uptime = timekeeper.uptime
    stream.flush(
      at: uptime, force: true, setForward: shared.setForward, board: board, into: &shared.outgoing)
    notePacketResult(of: stream)
    declareHole(of: stream)
  }

  /// Where the streams break off now that the link ended; nowhere when it was ended because nothing is wanted of the
  /// board any more, except for what was lost before and could not be reported.
  func breakOff(isForGood: Bool) {
    for stream in streams.all {
      if let last = stream.stamps.last { ends.lastStamp[stream.name] = last }
      if let cutOff = stream.cutOff { ends.cutOff[stream.name] = cutOff }
    }
    guard isForGood else { return }
    for (_, cutOff) in ends.cutOff.sorted(by: { $0.key < $1.key }) where cutOff.reason == nil {
      shared.outgoing.append(.stream(.ended(cutOff.session)))
    }
    ends.cutOff = ends.cutOff.filter { $0.value.reason != nil }
  }

  /// Finishes all batches, however few samples they have.
  package func flush() {
    for stream in streams.all { finish(stream) }
  }
}

// What is reported to the session, and what it waits for.
extension PacketIntake {
  var hasReports: Bool { !reports.isEmpty }

  func note(_ report: SessionReport) { reports.append(report) }

  /// The oldest report that nobody has taken; nil when there is none.
  func takeReport() -> SessionReport? { reports.isEmpty ? nil : reports.removeFirst() }

  /// Resumes `continuation` with the next sample of a stream; with false when none comes before `deadline`.
  func awaitSample(
    of key: StreamKey, until deadline: Duration, _ continuation: CheckedContinuation<Bool, Never>
  ) {
    firstSampleWaits[key]?.continuation.resume(returning: false)
    firstSampleWaits[key] = FirstSampleWaiter(deadline: deadline, continuation: continuation)
  }

  /// Gives up on samples whose time has passed; on all without `uptime`.
  func expireWaits(at uptime: Duration?) {
    guard !firstSampleWaits.isEmpty else { return }
    for (key, wait) in firstSampleWaits.sorted(by: { $0.key < $1.key })
    where uptime.map({ wait.deadline <= $0 }) ?? true {
      firstSampleWaits[key] = nil
      wait.continuation.resume(returning: false)
    }
  }
}
