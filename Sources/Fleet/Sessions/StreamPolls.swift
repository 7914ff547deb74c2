import BoardKit
import FleetModel

/// Reading what the board does not send by itself: polled streams, and the battery by its schedule. Confined to its
/// session.
final class StreamPolls {
  private let context: SessionContext
  private let streams: StreamSetup
  /// Battery polls in a row that brought nothing, and when the next one may be.
  private var failures = (count: 0, until: Duration.zero)

  init(_ context: SessionContext, streams: StreamSetup) { (self.context, self.streams) = (context, streams) }

  private var intake: PacketIntake { context.intake }

  /// Queues the polls that are due.
  func queue(at uptime: Duration) {
    for stream in intake.streams.polled where stream.nextPoll <= uptime {
      guard let period = stream.active.period else { continue }
      // Keep the period; after a stall skip what was missed.
      let next = stream.nextPoll + period
      stream.nextPoll = next > uptime ? next : uptime + period
      context.enqueue(.poll(stream.key))
    }
  }

  func poll(_ key: StreamKey) async {
    guard let request = intake.streams[key]?.active.request else { return }
    do throws(CommandFailure) {
      let values = try await context.driver.read(request)
      let isPossible = intake.takePolled(key, at: context.now, values)
      if isPossible, request.name == "battery" { noteBattery(values) }
    } catch {
      // Only this sample is missing. Where nothing was answered at all, the proof of life that follows decides about
      // the link (fault F28).
      intake.note(.lost(stream: request.name, count: 1))
      intake.notePoll(of: key, failed: error)
    }
  }

  /// Reads all that is only readable and was not read yet.
  func pollAll() async {
    for stream in intake.streams.all where stream.active.isPolled {
      guard context.end == nil else { return }
      if intake.streams[stream.key]?.hasSamples != true { await poll(stream.key) }
    }
  }

  /// Whether the battery is to be read by its schedule. On a contact that happens anyway it is read a little before.
  func isBatteryDue(onContact: Bool = false) -> Bool {
    let rule = context.environment.schedules.battery
    return context.uptime >= failures.until
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
      return failed()
    }
    failures = (0, .zero)
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

  private func failed() {
    failures.count += 1
    failures.until = context.uptime + Backoff.delay(afterRefusals: failures.count, jitter: 0.5)
    // The end of the link is told by who waits for the next one.
    if failures.count == 1, context.end == nil { context.environment.counters.add(to: .contactsMissed) }
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
