import BoardKit
import FleetModel

/// One stream of a session: what the board was asked for, the lanes its samples take, and the polls it needs. Confined
/// to its session; an object, because every sample looks at it, and a structure of this size would be copied for that.
/// What a sample changes is unchecked for the same reason: nothing here calls back.
final class SessionStream {
  private(set) var active: ActiveStream
  private let component: Int?
  /// Values in a sample as the board may send it.
  private let width: Int
  /// What a sample holds on the wire.
  let fields: [StreamDefinition.Field]
  private let recordsSamples: Bool
  /// What its samples can be; nil where packets cannot carry anything else.
  private let check: SampleCheck?
  @exclusivity(unchecked) private var leftOut: LeftOut?
  /// Whether somebody has to look at what was left out, or at whether that is over.
  @exclusivity(unchecked) var isSuspect = false
  @exclusivity(unchecked) private var record: RecordLane
  @exclusivity(unchecked) private var live: LiveLane
  /// When a polled stream is due next.
  var nextPoll: Duration
  /// When the last sample came, or the stream began.
  @exclusivity(unchecked) private(set) var lastSample: Duration
  @exclusivity(unchecked) private(set) var hasSamples = false
  @exclusivity(unchecked) private var lastStamp: Timestamp?
  /// Whether its silence has been told.
  @exclusivity(unchecked) var isSilent = false
  /// Whether it was started, must deliver by itself, and has not yet: nobody knows then that the board does it.
  @exclusivity(unchecked) private(set) var isAwaited = false
  /// Why no sample of a polled stream came yet.
  @exclusivity(unchecked) private var pollFailure: CommandFailure?
  /// Whether the board stops and starts it by itself: then it may be silent for as long as it likes, and nothing was
  /// lost meanwhile.
  @exclusivity(unchecked) var isSteered = false {
    didSet {
      if isSteered { isAwaited = false }
      if isSteered != oldValue { stall = countsStalls ? active.period.map(StallCount.init(period:)) : nil }
    }
  }
  private var isRestarted = false
  @exclusivity(unchecked) private var stall: StallCount?

  /// Host time of a notification: the radio may hold a packet back for some connection intervals, and repeat it. A
  /// board's ticks are tied to ours by such packets, so that they are as far off, all by the same.
  static let arrivalClock = ClockQuality(source: .arrival, errorMilliseconds: 100)

  init?(
    _ active: ActiveStream, board: BoardID, boot: Int, session: ULID, limits: LaneLimits, uptime: Duration,
    liveDue: Timestamp? = nil
  ) {
    if let own = active.fields {
      (fields, component, width) = (own, nil, own.count)
    } else {
      guard let (definition, component) = StreamCatalogue.find(active.request.name) else { return nil }
      fields = component.map { [definition.fields[$0]] } ?? definition.fields
      (self.component, width) = (component, definition.fields.count)
    }
    self.active = active
    check = SampleCheck(of: active.request.name, holding: fields)
    let configuration = active.request.configuration
    recordsSamples = configuration["record"]?.bool ?? true
    live = LiveLane(rate: configuration["live_rate_hz"]?.number ?? limits.liveRate, due: liveDue)
    record = RecordLane(
      board: board, stream: active.request.name,
      fields: fields, session: session, boot: boot,
      clock: ClockQuality(
        source: active.stamps, errorMilliseconds: Self.arrivalClock.errorMilliseconds),
      configuration: configuration, limits: limits, doubts: active.doubts)
    nextPoll = uptime
    lastSample = uptime
    stall = countsStalls ? active.period.map(StallCount.init(period:)) : nil
    isAwaited = mustDeliver
  }

  /// Whether silence means that the board does not do what it was told.
  private var mustDeliver: Bool {
    !active.isPolled && active.period != nil && !active.mayBeSilent && !isSteered
  }

  /// What keeps it from being what was wanted; nil where nothing is known to.
  var failure: CommandFailure? {
    guard isSilent, mustDeliver else { return pollFailure }
    return CommandFailure(
      .boardError,
      "no sample came for \(DurationText.format(patience ?? .zero)), and again none after everything was "
        + "started once more; reset the board")
  }

  /// A poll failed; told as long as none succeeded. Returns whether it is.
  func failed(_ failure: CommandFailure) -> Bool {
    guard !hasSamples else { return false }
    pollFailure = failure
    return true
  }

  /// Samples come.
  func returned() { (isAwaited, isSilent, pollFailure) = (false, false, nil) }

  /// Whether somebody has to be told when a sample comes.
  var isMissed: Bool { isAwaited || isSilent || pollFailure != nil }

  /// Only sensors that run by themselves, and all the time, have a rate to count by.
  private var countsStalls: Bool { !active.isPolled && active.isRegular && !isSteered }

  /// Nobody knows how many samples were lost before the first one.
  func followsGap() { record.lost(-1) }

  /// Where the stream would break off now; nil before its first sample.
  var cutOff: CutOff? { lastStamp.map { CutOff(session: record.session, lastSample: $0) } }

  /// Its session as the store has to know it from the first sample on, which came at `time`; nil where no batches go out.
  func begun(of board: BoardID, at time: Timestamp) -> OpenStream? {
    recordsSamples ? OpenStream(board: board, stream: name, session: record.session, last: time) : nil
  }

  /// From when on a live sample goes out; nil before the stream's first sample.
  var liveDue: Timestamp? { lastStamp == nil ? nil : live.due }

  var key: StreamKey { active.key }
  var name: String { active.request.name }
  var session: ULID { record.session }
  /// How many samples it took.
  var taken: Int { record.nextSequence }

  /// Takes the samples that were left out.
  func takeLeftOut() -> LeftOut? {
    defer { leftOut = nil }
    return leftOut
  }

  /// A sample that cannot be is missing, and counted as that, so that numbers and gaps stay honest. Apart, because
  /// hardly any sample comes here.
  @inline(never)
  private func leaveOut(_ field: Int, _ value: Double, at time: Timestamp) {
    record.lost(1)
    isSuspect = true
    if leftOut == nil {
      let first = ImpossibleValue(field: fields[field].name, value: value)
      leftOut = LeftOut(first: first, count: 0, from: time, to: time)
    }
    leftOut?.count += 1
    leftOut?.to = time
  }

  /// Takes a sample; what is worth telling goes to `outgoing`. Returns what is found to be missing before it.
  @discardableResult
  func append(
    at time: Timestamp, _ sample: Span<Double>, board: BoardID, uptime: Duration,
    into outgoing: inout [FleetEvent]
  ) -> StallCount.Missed? {
    // A board may send the whole vector where a component is wanted.
    let isVector = sample.count == width
    let values = if isVector, let component { sample.extracting(component...component) } else { sample }
    guard values.count == fields.count else { return nil }
    lastSample = uptime
    let missed = stall?.arrived(at: uptime, stamp: time)
    if let missed { record.lost(missed.count) }
    if let check, let field = check.impossible(in: values) {
      leaveOut(field, values[field], at: time)
      return missed
    }
    hasSamples = true
    // Asked first, because to be handed no batch costs as much as to be handed one.
    if record.isFull(before: time), let full = record.close(), recordsSamples {
      outgoing.append(.batch(full))
    }
    let (stamp, sequence) = record.append(at: time, values, uptime: uptime)
    lastStamp = stamp
    if live.admits(stamp) {
      outgoing.append(
        .live(
          LiveSample(
            board: board, stream: name, fields: fields, time: stamp, sequence: sequence,
            values: values.indices.map { values[$0] }, doubts: record.doubts)))
    }
    return missed
  }

  /// What speaks against the samples from here on.
  func change(_ doubts: Set<QualityReason>, into outgoing: inout [FleetEvent]) {
    active.doubts = doubts
    if let batch = record.change(doubts), recordsSamples { outgoing.append(.batch(batch)) }
  }

  /// Whether the last sample is the first of its batch.
  var hasBegunBatch: Bool { record.openCount == 1 }
  /// How long a batch waits for further samples.
  var longestBatch: Duration { record.longest }

  func flush(at uptime: Duration, force: Bool, into outgoing: inout [FleetEvent]) {
    if let batch = record.flush(at: uptime, force: force), recordsSamples { outgoing.append(.batch(batch)) }
  }

  /// How long the stream may be silent before that is odd: 5 s or two periods, the longer; nil for streams that come
  /// only when something happens.
  var patience: Duration? { active.period.map { max(.seconds(5), $0 * 2) } }

  /// Whether it has been silent for longer than is fine.
  func isOverdue(at uptime: Duration) -> Bool {
    !isSteered && patience.map { uptime - lastSample > $0 } ?? false
  }

  /// Gives the board one more chance. Returns false when it had it, or when it is not the board that begins.
  func restart(at uptime: Duration) -> Bool {
    guard !isRestarted, !active.isPolled else { return false }
    isRestarted = true
    isAwaited = mustDeliver
    lastSample = uptime
    stall = countsStalls ? active.period.map(StallCount.init(period:)) : nil
    return true
  }
}
