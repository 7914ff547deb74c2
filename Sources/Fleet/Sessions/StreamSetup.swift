import BoardKit
import FleetModel

/// Bringing the board to the streams that are wanted of it, and helping those that fall silent. Confined to its
/// session.
final class StreamSetup {
  private let context: SessionContext
  private let log: BoardLog
  var keys = StreamKeys()
  /// Which chains and loggers get their sensors, and what the board did not take of them.
  var chainSources = ChainSources()
  /// Whether the board was brought to its program once.
  var isProgramApplied = false
  /// Whether the board was asked what runs on it for others.
  private var hasCheckedForOtherHosts = false

  init(_ context: SessionContext, log: BoardLog) { (self.context, self.log) = (context, log) }

  private var intake: PacketIntake { context.intake }
  private var driver: any BoardDriver { context.driver }

  /// Brings the board to the ordered streams. A failure of the conversation ends the link.
  func apply() async {
    _ = await applyForCommand()
    reviewChains()
  }

  /// A chain whose sensor was taken away, or given back, is judged again.
  func reviewChains() {
    if chainSources.isStale { context.enqueue(.program) }
  }

  /// The same, for a command that wants to know what came of it; nil when the conversation failed.
  func applyForCommand() async -> StreamsApplied? {
    let requests = requests()
    do throws(ProtocolFailure) {
      try await reportConflicts(with: requests)
      let applied = try await driver.apply(requests, button: context.orders.wanted.button)
      adopt(applied)
      let refused = chainSources.note(applied.refused, of: requests)
      let wanted = context.orders.wanted
      await context.report(
        .streams(
          wanted.streams, running: intake.streams.all.map(\.active.request), intake.verification,
          ofChains: wanted.program.ownStreams(in: wanted.streams), refused: refused))
      return applied
    } catch {
      context.fail(because: error)
      return nil
    }
  }

  /// Says what runs on an unknown board for somebody else and has to give way, before it does (fault F105).
  private func reportConflicts(with requests: [StreamKey: StreamRequest]) async throws(ProtocolFailure) {
    guard !hasCheckedForOtherHosts else { return }
    hasCheckedForOtherHosts = true
    let conflicts = try await driver.conflicts(requests, button: context.orders.wanted.button)
    guard !conflicts.isEmpty else { return }
    context.reportEvent(
      .foreignChange, "conflict", ["resources": .array(conflicts.map { .string("sensor/\($0)") })])
    await context.flushReports()
  }

  private func requests() -> [StreamKey: StreamRequest] {
    let program = context.orders.sourcedProgram(log.plan)
    return keys.requests(
      context.orders.streams(of: program, present: driver.chains), sensors: chainSources.sensors(of: program))
  }

  private func adopt(_ applied: StreamsApplied) {
    for change in StreamChange.changes(from: intake.streams.all.map(\.active), to: applied.active) {
      switch change {
      case .doubt(let key, let doubts): intake.change(doubts, of: key)
      case .retire(let key): intake.retire(key)
      case .open(let stream): open(stream)
      }
    }
    noteDeviceControl()
    // What actions do to streams goes by how those run now.
    if isProgramApplied, context.orders.wanted.program.program.controlsStreams { context.enqueue(.program) }
  }

  /// Takes note of the streams that the board itself stops and starts.
  func noteDeviceControl() {
    for stream in intake.streams.all {
      intake.setControlledOnDevice(stream, driver.isControlledOnDevice(stream.name))
    }
  }

  /// Makes the lanes of a stream.
  func open(_ stream: ActiveStream) {
    intake.open(
      stream, boot: context.orders.known.boots.count, session: context.makeID(),
      limits: context.environment.limits)
  }

  /// A stream that falls silent is helped once by starting everything anew; if that does not help, it is reported
  /// (fault F55).
  func watchForSilence(at uptime: Duration) {
    intake.watchRates(at: uptime)
    for stream in intake.streams.all where !stream.silence.isReported && stream.isOverdue(at: uptime) {
      if stream.restart(at: uptime) {
        context.enqueue(.restart)
      } else {
        stream.silence.isReported = true
        intake.note(.silence(stream: stream.name, isSilent: true))
      }
      intake.note(.samples(intake.verification))
    }
  }

  func restart() async {
    driver.invalidateCachedState()
    // What is stopped and started loses samples in between.
    for stream in intake.streams.all where !stream.active.isPolled { intake.restart(stream) }
    await apply()
  }

  /// Packets nobody asked for come from subscriptions of an earlier session.
  func queueEndOfStaleSubscriptions() {
    guard driver.hasStaleSubscriptions else { return }
    context.enqueue(.endStaleSubscriptions)
  }

  func endStaleSubscriptions() async {
    do throws(ProtocolFailure) { try await driver.endStaleSubscriptions() } catch {
      context.fail(because: error)
    }
  }

  /// Waits for the next sample of a stream; false when none came in time.
  func firstSample(of key: StreamKey, within limit: Duration) async -> Bool {
    guard context.end == nil else { return false }
    return await withCheckedContinuation { continuation in
      intake.awaitSample(of: key, until: context.uptime + limit, continuation)
    }
  }

  /// Waits for the first samples of streams of which none came yet, for a while.
  func awaitFirstSamples() async {
    let deadline = context.uptime + StreamVerification.firstSampleTimeout
    for stream in intake.streams.all.filter(\.silence.isAwaited) {
      guard context.end == nil, context.uptime < deadline else { break }
      if stream.silence.isAwaited { _ = await firstSample(of: stream.key, within: deadline - context.uptime) }
    }
    await context.flushReports()
  }
}
