import BoardKit
import FleetModel

/// One stream of a session: what the board was asked for, the lanes its samples take, and the polls it needs. Confined
/// to its session; an object, because every sample looks at it, and a structure of this size would be copied for that.
/// What a sample changes is unchecked for the same reason: nothing here calls back.
final class SessionStream {
  private(set) var active: ActiveStream
  let shape: StreamShape
  private let recordsSamples: Bool
  @exclusivity(unchecked) private var record: RecordLane
  @exclusivity(unchecked) private var live: LiveLane
  @exclusivity(unchecked) private var times = SampleTimes()
  /// Where samples are missing since, before the next one; nil when none are.
  @exclusivity(unchecked) private var gap: StreamInterruption?
  /// Of the samples in its lanes.
  @exclusivity(unchecked) private(set) var stamps = Stamps()
  /// When the last sample came, or the stream began.
  @exclusivity(unchecked) private(set) var lastSample: Duration
  /// When a polled stream is due next.
  var nextPoll: Duration
  /// When it said last that it has to be looked at.
  @exclusivity(unchecked) private var announcedDue: Duration?
  @exclusivity(unchecked) private(set) var rate = StreamRate()
  @exclusivity(unchecked) var silence = StreamSilence()
  @exclusivity(unchecked) var quality = Quality()
  /// Whether the board stops and starts it by itself: then it may be silent for as long as it likes, and nothing was
  /// lost meanwhile.
  @exclusivity(unchecked) var isControlledOnDevice = false {
    didSet {
      if isControlledOnDevice { silence.isAwaited = false }
      if isControlledOnDevice != oldValue { begin(behind: stamps.last) }
    }
  }

  /// The stamps of the first and of the last sample that were put into the lanes.
  struct Stamps {
    fileprivate(set) var first, last: Timestamp?
  }

  /// What was left out, because no sensor can measure it.
  struct Quality {
    fileprivate var leftOut: OmittedSamples?
    /// Whether somebody has to look at what was left out, or at whether that is over.
    var isSuspect = false

    /// Takes the samples that were left out.
    mutating func takeLeftOut() -> OmittedSamples? {
      defer { leftOut = nil }
      return leftOut
    }
  }

  init?(
    _ active: ActiveStream, board: BoardID, boot: Int, session: ULID, limits: LaneLimits, uptime: Duration,
    liveDue: Timestamp? = nil, behind last: Timestamp? = nil
  ) {
    guard let shape = StreamShape(active) else { return nil }
    self.shape = shape
    self.active = active
    let configuration = active.request.configuration
    recordsSamples = configuration["record"]?.bool ?? true
    live = LiveLane(rate: configuration["live_rate_hz"]?.number ?? limits.liveRate, due: liveDue)
    record = RecordLane(
      board: board, stream: active.request.name, fields: shape.fields, session: session, boot: boot,
      clock: ClockQuality(source: active.stamps, errorMilliseconds: ClockQuality.arrival.errorMilliseconds),
      configuration: configuration, limits: limits, doubts: active.doubts, behind: last)
    nextPoll = uptime
    lastSample = uptime
    begin(behind: last)
    silence.isAwaited = mustDeliver
  }

  /// Whether silence means that the board does not run as configured.
  private var mustDeliver: Bool {
    !active.isPolled && active.period != nil && !active.mayBeSilent && !isControlledOnDevice
  }

  /// What keeps it from being what was wanted; nil where nothing is known to.
  var failure: CommandFailure? { silence.failure(of: mustDeliver ? silenceTimeout ?? .zero : nil) }

  /// A poll failed; reported as long as none succeeded. Returns whether it is.
  func failed(_ failure: CommandFailure) -> Bool {
    guard !hasSamples else { return false }
    silence.pollFailure = failure
    return true
  }

  /// Whether any sample is in its lanes.
  var hasSamples: Bool { stamps.last != nil }

  /// Whether a sample that comes has to be reported. Field by field: every packet asks.
  var isMissed: Bool { silence.isAwaited || silence.isReported || silence.pollFailure != nil }

  /// Only sensors that run by themselves, and all the time, have a rate to count by; boards that put their own ticks
  /// into packets need none.
  private var countedPeriod: Duration? {
    active.isPolled || isControlledOnDevice || active.stamps != .arrival ? nil : active.period
  }

  /// Begins to count its samples anew.
  private func begin(behind last: Timestamp?) {
    times.restart(counting: countedPeriod, isRegular: active.isRegular, behind: last)
    rate.restart(counting: countedPeriod, ofModule: StreamCatalogue.find(name)?.stream.module)
  }

  /// What was counted of it.
  var counts: SampleRateMonitor.Counts { times.counts }

  /// Compares how many samples came with how many should have. Returns what is to be reported of it: `.some(nil)` when
  /// it is over.
  func watchRate(at uptime: Duration) -> RateFault?? { rate.update(with: times.counts, uptime: uptime) }

  /// Samples are missing since the last one, or since an earlier session broke off.
  func followsGap(since earlier: StreamInterruption? = nil) {
    gap = earlier ?? cutOff ?? gap
    begin(behind: gap?.lastSample)
  }

  /// Where the stream would break off now; nil before its first sample.
  var cutOff: StreamInterruption? {
    stamps.last.map { StreamInterruption(session: record.session, lastSample: $0, rate: times.rate) }
  }

  /// Its session as the store has to know it from the first sample on; nil where no batches go out, and for what is
  /// read by a schedule, which reads again what was not kept. Nothing of it is kept yet: if the gateway is killed now,
  /// the hole goes on, from where an earlier session was `cutOff`, and the first sample is in it.
  func begun(of board: BoardID, behind cutOff: StreamInterruption?) -> OpenStream? {
    guard recordsSamples, !isReadBySchedule, let first = stamps.first else { return nil }
    if let cutOff {
      return OpenStream(
        board: board, stream: name, session: record.session, last: cutOff.lastSample,
        told: max(cutOff.told, missing(since: cutOff, before: first)))
    }
    let last = first - (active.period ?? .zero)
    // An earlier session's last sample is there, and no part of a gap, however soon this session began.
    return OpenStream(
      board: board, stream: name, session: record.session, last: times.floor.map { max(last, $0) } ?? last)
  }

  private var isReadBySchedule: Bool { active.isPolled && active.period == nil }

  /// From when on a live sample goes out; nil before the stream's first sample.
  var liveDue: Timestamp? { hasSamples ? live.due : nil }

  var key: StreamKey { active.key }
  var name: String { active.request.name }
  var session: ULID { record.session }
  /// How many samples it took.
  var taken: Int { record.nextSequence }

  /// A sample that cannot be is missing, and counted as that, so that numbers and gaps stay honest. Apart, because
  /// hardly any sample comes here.
  @inline(never)
  private func leaveOut(_ field: Int, _ value: Double, at time: Timestamp) {
    record.lost(1)
    quality.isSuspect = true
    if quality.leftOut == nil {
      let first = ImpossibleValue(field: shape.fields[field].name, value: value)
      quality.leftOut = OmittedSamples(first: first, count: 0, from: time, to: time)
    }
    quality.leftOut?.count += 1
    quality.leftOut?.to = time
  }

  /// Takes the samples of a packet, at least one; what is worth telling goes to `outgoing`. `setForward`: by how many
  /// nanoseconds our clock was set forward lately. Not inlined: the optimiser of Swift 6.3 dies of that.
  @inline(never)
  func take(
    _ samples: Span<ReadingBuffer.Entry>, _ values: Span<Double>, board: BoardID, uptime: Duration,
    setForward: Int64 = 0, into outgoing: inout [FleetEvent]
  ) {
    // A board may send the whole vector where a component is wanted.
    let wide = samples[0].values.count
    guard wide == shape.fields.count || wide == shape.width else { return }
    let before = lastSample
    lastSample = uptime
    guard times.isCounted else {
      if gap != nil { reportGap(before: samples[0].time) }
      for index in samples.indices {
        let sample = samples[index]
        put(at: sample.time, values.extracting(sample.values), board, uptime, &outgoing)
      }
      return
    }
    let arrival = samples[samples.count - 1].time
    if let place = times.take(samples, values, at: arrival) {
      for index in samples.indices {
        put(at: place.time(of: index), values.extracting(samples[index].values), board, uptime, &outgoing)
      }
      record.note(offset: place.offset)
      times.remember(samples, values)
    } else {
      let placed = times.takeOther(samples, values, since: before, uptime: uptime, setForward: setForward)
      release(placed, board, uptime, &outgoing)
    }
  }

  /// Puts samples that waited to their places. Apart, because hardly any packet comes here.
  @inline(never)
  private func release(
    _ placed: [StreamClock.Placement], _ board: BoardID, _ uptime: Duration,
    _ outgoing: inout [FleetEvent]
  ) {
    for place in placed {
      guard !place.isCopy else {
        times.leaveOutCopy(of: place.count)
        continue
      }
      if gap != nil { reportGap(before: place.first) }
      if place.lost > 0 {
        record.lost(place.lost)
        times.missed(place, behind: stamps.last ?? place.first)
      }
      for (index, sample) in times.withdraw(place.count).enumerated() {
        put(at: place.time(of: index), sample.span, board, uptime, &outgoing)
      }
      record.note(offset: place.offset)
    }
  }

  /// What is missing since an earlier session, or a restart, by the rate; nobody knows where there is none.
  private func reportGap(before time: Timestamp) {
    guard let gap else { return }
    self.gap = nil
    record.lost(missing(since: gap, before: time))
  }

  /// How many samples are missing between where a session broke off and the first one behind it; -1 where nobody knows
  /// the rate.
  func missing(since gap: StreamInterruption, before first: Timestamp) -> Int {
    // What is read by a schedule is told as missed.
    isReadBySchedule ? 0 : gap.missing(until: first, each: active.period)
  }

  /// Puts a sample into its lanes.
  private func put(
    at time: Timestamp, _ sample: Span<Double>, _ board: BoardID, _ uptime: Duration,
    _ outgoing: inout [FleetEvent]
  ) {
    let isVector = sample.count == shape.width
    let values =
      if isVector, let component = shape.component { sample.extracting(component...component) } else {
        sample
      }
    guard values.count == shape.fields.count else { return }
    if let check = shape.check, let field = check.impossible(in: values) {
      return leaveOut(field, values[field], at: time)
    }
    // Asked first, because to be handed no batch costs as much as to be handed one.
    if record.isFull(before: time), let full = record.close(), recordsSamples {
      outgoing.append(.batch(full))
    }
    let (stamp, sequence) = record.append(at: time, values, uptime: uptime)
    if stamps.first == nil { stamps.first = stamp }
    stamps.last = stamp
    guard live.admits(stamp) else { return }
    outgoing.append(
      .live(
        LiveSample(
          board: board, stream: name, fields: shape.fields, time: stamp, sequence: sequence,
          values: values.indices.map { values[$0] }, doubts: record.doubts)))
  }

  /// Other limits of its lanes; a rate of its own stays.
  func change(to limits: LaneLimits) {
    record.limits = limits
    let own = active.request.configuration["live_rate_hz"]?.number
    live = LiveLane(rate: own ?? limits.liveRate, due: live.due)
  }

  /// What speaks against the samples from here on.
  func change(_ doubts: Set<QualityReason>, into outgoing: inout [FleetEvent]) {
    active.doubts = doubts
    let all = rate.fault?.isLow == true ? doubts.union([.rateLow]) : doubts
    if let batch = record.change(all), recordsSamples { outgoing.append(.batch(batch)) }
  }

  /// When somebody has to look at it again, as long as it is not announced: for the end of its batch, or for what
  /// waits.
  func takeDue() -> Duration? {
    // Asked first: every packet comes here, and what waits is looked at by a copy.
    var due = record.due
    if times.isWaiting, let waiting = times.due { due = due.map { min($0, waiting) } ?? waiting }
    guard let due, announcedDue.map({ due < $0 }) ?? true else { return nil }
    announcedDue = due
    return due
  }

  /// Finishes what is due. Whoever calls asks `takeDue` afterwards.
  func flush(
    at uptime: Duration, force: Bool, setForward: Int64 = 0, board: BoardID, into outgoing: inout [FleetEvent]
  ) {
    if let due = announcedDue, due <= uptime || force { announcedDue = nil }
    if force || times.due.map({ $0 <= uptime }) ?? false {
      release(times.expire(uptime, setForward: setForward, force: force), board, uptime, &outgoing)
    }
    if let batch = record.flush(at: uptime, force: force), recordsSamples { outgoing.append(.batch(batch)) }
  }

  /// Samples that turned out to be missing, and packets that came twice.
  var hasFindings: Bool { times.hasFindings }
  func takeMissed() -> [LostSamples] { times.takeMissed() }
  func takeDuplicates() -> Int { times.takeDuplicates() }

  /// How long the stream may be silent before that is odd: 5 s or two periods, the longer; nil for streams that come
  /// only when something happens.
  var silenceTimeout: Duration? { active.period.map { max(.seconds(5), $0 * 2) } }

  /// Whether it has been silent for longer than is fine.
  func isOverdue(at uptime: Duration) -> Bool {
    !isControlledOnDevice && silenceTimeout.map { uptime - lastSample > $0 } ?? false
  }

  /// Gives the board one more chance. Returns false when it had it, or when it is not the board that begins.
  func restart(at uptime: Duration) -> Bool {
    guard !active.isPolled, silence.restart(isAwaited: mustDeliver) else { return false }
    lastSample = uptime
    return true
  }
}

extension ClockQuality {
  /// Host time of a notification: the radio may hold a packet back for some connection intervals, and repeat it. A
  /// board's ticks are tied to ours by such packets, so that they are as far off, all by the same.
  static let arrival = ClockQuality(source: .arrival, errorMilliseconds: 100)
}
