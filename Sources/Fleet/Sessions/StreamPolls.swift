import BoardKit
import FleetModel

/// Reading what the board does not send by itself: polled streams, and the battery by its schedule. Confined to its
/// session.
final class StreamPolls {
  private let context: SessionContext
  private let streams: StreamSetup
  /// Readings that brought nothing.
  private var retries = PollRetries()
  /// What is being read just now: it is due until that is over.
  private var underWay: StreamKey?

  /// How often schedules of streams are looked at.
  private static let schedulePeriod = Duration.seconds(1)
  /// Under this name the battery's schedule is tried again; the stream of that name is another reading.
  private static let scheduledBattery = "schedules.battery"

  init(_ context: SessionContext, streams: StreamSetup) { (self.context, self.streams) = (context, streams) }

  private var intake: PacketIntake { context.intake }

  /// Queues the polls that are due.
  func queue(at uptime: Duration) {
    for stream in intake.streams.polled where stream.nextPoll <= uptime {
      guard let period = stream.active.period else {
        stream.nextPoll = uptime + Self.schedulePeriod
        if isDue(stream) { context.enqueue(.poll(stream.key)) }
        continue
      }
      // Keep the period; after a stall skip what was missed.
      let next = stream.nextPoll + period
      stream.nextPoll = next > uptime ? next : uptime + period
      context.enqueue(.poll(stream.key))
    }
    guard !retries.isEmpty else { return }
    for stream in intake.streams.polled
    where stream.active.period != nil && retries.takeDue(stream.name, at: uptime) {
      context.enqueue(.poll(stream.key))
    }
  }

  /// Whether a stream is to be read by its schedule. On a contact that happens anyway it is read a little before.
  private func isDue(_ stream: SessionStream, onContact: Bool = false) -> Bool {
    guard let rule = stream.active.request.readRule, stream.key != underWay else { return false }
    return retries.allows(stream.name, at: context.uptime)
      && context.isDue(onContact ? rule.onContact : rule, after: lastRead(stream))
  }

  /// When it was read last, also on earlier links.
  private func lastRead(_ stream: SessionStream) -> Timestamp? {
    stream.stamps.last ?? intake.ends.lastStamp[stream.name]
  }

  func poll(_ key: StreamKey) async {
    guard let stream = intake.streams[key] else { return }
    underWay = key
    defer { underWay = nil }
    let (request, isRetry) = (stream.active.request, retries.isRetry(stream.name))
    do throws(CommandFailure) {
      let values = try await context.driver.read(request)
      guard intake.takePolled(key, at: context.now, values) else { return missed(stream, because: nil) }
      retries.ended(request.name)
      if request.name == "battery" { noteBattery(values) }
    } catch {
      // Only this sample is missing. Where nothing was answered at all, the proof of life that follows decides about
      // the link (fault F28).
      if !isRetry, stream.active.period != nil { intake.note(.lost(stream: request.name, count: 1)) }
      intake.notePoll(of: key, failed: error)
      missed(stream, because: error)
    }
  }

  /// A reading of a stream brought nothing. One that comes again within minutes anyway is no deadline of its own: its
  /// samples are counted.
  private func missed(_ stream: SessionStream, because failure: CommandFailure?) {
    guard let rule = stream.active.request.readRule, !ConnectionModeRule.isFrequent(rule) else { return }
    let last = lastRead(stream)
    guard retries.failed(stream.name, at: context.uptime), context.end == nil else { return }
    context.reportMissed(stream.name, due: context.dueTime(rule, after: last), because: failure)
  }

  /// Reads all that is only readable and is due, and was not read yet. Intervals are looked after by visits themselves.
  func pollAll() async {
    for stream in intake.streams.all where stream.active.isPolled {
      guard context.end == nil else { return }
      guard intake.streams[stream.key]?.hasSamples != true else { continue }
      if stream.active.period != nil || isDue(stream, onContact: true) { await poll(stream.key) }
    }
  }

  /// Whether the battery is to be read by its schedule. On a contact that happens anyway it is read a little before.
  func isBatteryDue(onContact: Bool = false) -> Bool {
    let rule = context.environment.schedules.battery
    return retries.allows(Self.scheduledBattery, at: context.uptime)
      && context.isDue(onContact ? rule.onContact : rule, after: context.orders.known.lastBattery)
  }

  /// The scheduled battery reading: it goes to the state, and to the lanes of the `battery` stream. One that fails is
  /// tried again after minutes, and does not wait for the next day where it is daily (fault F187).
  func pollBattery() async {
    let last = context.orders.known.lastBattery
    // Nothing else is to be queued meanwhile.
    context.orders.known.lastBattery = context.now
    let request = StreamRequest(name: "battery", configuration: ["record": true])
    let values: [Double]
    do throws(CommandFailure) { values = try await context.driver.read(request) } catch {
      context.orders.known.lastBattery = last
      return batteryFailed(since: last, error)
    }
    retries.ended(Self.scheduledBattery)
    guard streams.keys["battery"].flatMap({ intake.streams[$0] }) == nil else {
      // The stream takes samples at its own pace; this one is the state's.
      let check = StreamCatalogue.find("battery").flatMap {
        SampleCheck(of: "battery", holding: $0.stream.fields)
      }
      if check?.impossible(in: values.span) == nil { noteBattery(values) }
      return
    }
    let key = streams.keys.key(of: "battery")
    streams.open(ActiveStream(key: key, request: request, period: nil, isPolled: false))
    if intake.takePolled(key, at: context.now, values) { noteBattery(values) }
    intake.retire(key)
  }

  private func batteryFailed(since last: Timestamp?, _ failure: CommandFailure) {
    let isNew = retries.failed(Self.scheduledBattery, at: context.uptime)
    // The end of the link is told by who waits for the next one.
    guard isNew, context.end == nil else { return }
    let due = context.dueTime(context.environment.schedules.battery, after: last)
    context.reportMissed("battery", due: due, because: failure)
  }

  /// Somebody else read the battery.
  func tookBattery(_ values: [Double]) {
    context.orders.known.lastBattery = context.now
    noteBattery(values)
  }

  private func noteBattery(_ values: [Double]) {
    guard values.count == 2 else { return }
    intake.note(
      .battery(
        percent: Int(clamping: Int64(values[0])), millivolts: Int(clamping: Int64(values[1])), at: context.now
      ))
  }
}
