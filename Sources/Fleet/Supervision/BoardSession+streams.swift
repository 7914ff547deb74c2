import BoardKit
import FleetModel

/// Streams of a session: bringing the board to what is wanted, and polling what it does not send by itself.
extension BoardSession {
  /// Brings the board to the ordered streams. A failure of the conversation ends the link.
  func applyStreams() async {
    _ = await applyForCommand()
    reviewChains()
  }

  /// A chain whose sensor was taken away, or given back, is judged again.
  func reviewChains() {
    if feeding.isStale { enqueue(.program) }
  }

  /// The same, for a command that wants to know what came of it; nil when the conversation failed.
  func applyForCommand() async -> StreamsApplied? {
    let requests = requests()
    do throws(ProtocolFailure) {
      try await tellConflicts(with: requests)
      let applied = try await driver.apply(requests, button: orders.button)
      adopt(applied)
      var refused: [String: CommandFailure] = [:]
      var unfed: [(feed: StreamRequest, failure: CommandFailure)] = []
      for (key, failure) in applied.refused.sorted(by: { $0.key < $1.key }) {
        guard let request = requests[key] else { continue }
        if request.consumer == nil {
          refused[request.name] = failure
        } else {
          unfed.append((request, failure))
        }
      }
      feeding.note(unfed)
      await environment.report(
        .streams(
          orders.streams, running: intake.streams.all.map(\.active.request), intake.standing,
          ofChains: orders.program.ownStreams(in: orders.streams), refused: refused))
      return applied
    } catch {
      fail(because: Self.linkFailure(error))
      return nil
    }
  }

  /// Says what runs on an unknown board for somebody else and has to give way, before it does (fault F105).
  private func tellConflicts(with requests: [StreamKey: StreamRequest]) async throws(ProtocolFailure) {
    guard !hasLookedForOthers else { return }
    hasLookedForOthers = true
    let conflicts = try await driver.conflicts(requests, button: orders.button)
    guard !conflicts.isEmpty else { return }
    tell(.foreignChange, "conflict", ["resources": .array(conflicts.map { .string("sensor/\($0)") })])
    await handOutNews()
  }

  /// What the board is asked for, by keys: who comes later has to go by what is there. Streams of chains that the board
  /// has not, or not yet, are left out.
  private func requests() -> [StreamKey: StreamRequest] {
    let program = fedProgram
    let present = Set(driver.chains.map(\.name))
    let streams = orders.streams.filter { program.chains[$0.key] == nil || present.contains($0.key) }
    let feeds = feeding.feeds(of: program)
    for name in streams.keys.sorted() + feeds.keys.sorted() where keys[name] == nil { keys[name] = newKey() }
    return Dictionary(
      streams.merging(feeds) { stream, _ in stream }.compactMap { name, request in
        keys[name].map { ($0, request) }
      }, uniquingKeysWith: { first, _ in first })
  }

  /// A key behind all others.
  func newKey() -> StreamKey { StreamKey((keys.values.max()?.index ?? -1) + 1) }

  private func adopt(_ applied: StreamsApplied) {
    let active = Dictionary(applied.active.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    for stream in intake.streams.all {
      if let now = active[stream.key], now.isSameRun(as: stream.active) {
        intake.change(now.doubts, of: stream.key)
      } else {
        intake.retire(stream.key)
      }
    }
    for (key, stream) in active.sorted(by: { $0.key < $1.key }) where intake.streams[key] == nil {
      open(stream)
    }
    noteSteering()
    // What actions do to streams goes by how those run now.
    if isProgramApplied, orders.program.program.steersStreams { enqueue(.program) }
  }

  /// Takes note of the streams that the board itself stops and starts.
  func noteSteering() {
    for stream in intake.streams.all { intake.steer(stream, driver.isSteered(stream.name)) }
  }

  private func open(_ stream: ActiveStream) {
    intake.open(
      stream, boot: orders.boots.count, session: ULID(at: now, using: &random), limits: environment.limits)
  }

  /// A stream that falls silent is helped once by starting everything anew; if that does not help, it is told
  /// (fault F55).
  func watchForSilence(at uptime: Duration) {
    intake.watchRates(at: uptime)
    for stream in intake.streams.all where !stream.isSilent && stream.isOverdue(at: uptime) {
      if stream.restart(at: uptime) {
        enqueue(.restart)
      } else {
        stream.isSilent = true
        intake.note(.silence(stream: stream.name, isSilent: true))
      }
      intake.note(.samples(intake.standing))
    }
  }

  func restartStreams() async {
    driver.distrust()
    // What is stopped and started loses samples in between.
    for stream in intake.streams.all where !stream.active.isPolled { intake.restart(stream) }
    await applyStreams()
  }

  /// Packets nobody asked for come from subscriptions of an earlier session.
  func queueEndOfLeftOvers() {
    guard driver.hasLeftOvers, !isEndOfLeftOversQueued else { return }
    isEndOfLeftOversQueued = true
    enqueue(.endLeftOvers)
  }

  func endLeftOvers() async {
    isEndOfLeftOversQueued = false
    do throws(ProtocolFailure) { try await driver.endLeftOvers() } catch {
      fail(because: Self.linkFailure(error))
    }
  }

  /// Queues the polls that are due; one of each at a time.
  func queuePolls(at uptime: Duration) {
    for stream in intake.streams.polled where stream.nextPoll <= uptime {
      guard let period = stream.active.period else { continue }
      // Keep the beat; after a stall skip what was missed.
      let next = stream.nextPoll + period
      stream.nextPoll = next > uptime ? next : uptime + period
      if queuedPolls.insert(stream.key).inserted { enqueue(.poll(stream.key)) }
    }
  }

  /// Queues a reading of the battery when its schedule says so.
  func queueBattery() {
    guard isAnswered, !isBatteryQueued,
      let due = environment.batterySchedule.due(
        after: orders.lastBattery, now: now, offset: environment.timekeeper.offsetFromUTC(at: now)),
      due <= now
    else { return }
    isBatteryQueued = true
    enqueue(.battery)
  }

  func poll(_ key: StreamKey) async {
    queuedPolls.remove(key)
    guard let request = intake.streams[key]?.active.request else { return }
    do throws(CommandFailure) {
      let values = try await driver.read(request)
      let isPossible = intake.takePolled(key, at: now, values)
      if isPossible, request.name == "battery" { noteBattery(values) }
    } catch {
      // Only this sample is missing. Where nothing was answered at all, the proof of life that follows decides about the
      // link (fault F28).
      intake.note(.lost(stream: request.name, count: 1))
      intake.notePoll(of: key, failed: error)
    }
  }

  /// The scheduled battery reading: it goes to the state, and to the lanes of the `battery` stream.
  func pollBattery() async {
    defer { isBatteryQueued = false }
    // Whether or not it succeeds, the next one is a period away.
    orders.lastBattery = now
    let request = StreamRequest(name: "battery", configuration: ["record": true])
    let values: [Double]
    do throws(CommandFailure) { values = try await driver.read(request) } catch { return }
    guard keys["battery"].flatMap({ intake.streams[$0] }) == nil else {
      // The stream takes samples at its own pace; this one is the state's.
      let check = StreamCatalogue.find("battery").flatMap {
        SampleCheck(of: "battery", holding: $0.stream.fields)
      }
      if check?.impossible(in: values.span) == nil { noteBattery(values) }
      return
    }
    let key = keys["battery"] ?? newKey()
    keys["battery"] = key
    let active = ActiveStream(key: key, request: request, period: nil, isPolled: false)
    open(active)
    if intake.takePolled(key, at: now, values) { noteBattery(values) }
    intake.retire(key)
  }

  func noteBattery(_ values: [Double]) {
    guard values.count == 2 else { return }
    intake.note(
      .battery(percent: Int(clamping: Int64(values[0])), millivolts: Int(clamping: Int64(values[1])), at: now)
    )
  }

  /// Waits for the next sample of a stream; false when none came in time.
  func firstSample(of key: StreamKey, within limit: Duration) async -> Bool {
    guard end == nil else { return false }
    return await withCheckedContinuation { continuation in
      intake.awaitSample(of: key, until: uptime + limit, continuation)
    }
  }

  /// Waits for the first samples of streams of which none came yet, for a while.
  func awaitFirstSamples() async {
    let deadline = uptime + SampleStanding.patience
    for stream in intake.streams.all.filter(\.isAwaited) {
      guard end == nil, uptime < deadline else { break }
      if stream.isAwaited { _ = await firstSample(of: stream.key, within: deadline - uptime) }
    }
    await handOutNews()
  }
}
