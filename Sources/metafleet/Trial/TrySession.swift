import BoardKit
import FleetModel

/// What `metafleet try` does with a board that is connected: it asks, lights the LED, runs the motor, measures, and
/// switches everything off again. Lives on the radio's executor, where the packets come.
actor TrySession {
  private nonisolated let executor: any SerialExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private let link: any BoardLink
  private let family: FamilyDescriptor
  private let timekeeper: any Timekeeper
  private let report: @Sendable (TryStep) async -> Void
  private let conversation: Conversation
  private let driver: any BoardDriver
  private var measured = AccelerationMeasurement()
  private var isStopped = false

  private static let flashes = LEDShow(
    color: LEDColor(red: 0, green: 255, blue: 0), brightness: 255, pulse: LEDPattern.flash.pulse,
    effect: LEDPattern.flash.rawValue)
  private static let vibration: UInt16 = 200
  /// The catalogue's defaults; all models offer them.
  private static let rate = 50.0
  private static let acceleration = StreamRequest(
    name: "acceleration", configuration: ["rate_hz": .integer(50), "range_g": .integer(4), "packed": "auto"])
  private static let stream = StreamKey(0)
  /// From the first sample on.
  private static let measuringTime = Duration.seconds(5)
  private static let firstSampleTimeout = Duration.seconds(3)
  /// How often it is looked whether questions have run out of time.
  private static let tick = Duration.milliseconds(100)

  /// `report` takes each step as soon as it is over.
  init(
    link: any BoardLink, executor: any SerialExecutor, family: FamilyDescriptor, timekeeper: any Timekeeper,
    report: @escaping @Sendable (TryStep) async -> Void
  ) {
    (self.link, self.executor, self.family) = (link, executor, family)
    (self.timekeeper, self.report) = (timekeeper, report)
    conversation = Conversation(link: link, timekeeper: timekeeper)
    driver = family.makeDriver(conversation)
  }

  /// Why the connection has ended; nil while it is up.
  var ending: LinkFailure? { conversation.ending }

  /// Takes the board's packets from now on.
  func open() async throws(LinkFailure) {
    await link.open(
      received: { characteristic, packet, arrival in
        self.assumeIsolated { $0.receive(packet, from: characteristic, at: arrival) }
      },
      ended: { failure in self.assumeIsolated { $0.conversation.end(because: failure) } })
    for characteristic in family.notifications { try await link.subscribe(to: characteristic) }
  }

  /// Goes through the steps. Whatever was switched on is off again afterwards, unless the connection was lost.
  func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.expireQuestions() }
      await goThroughSteps()
      group.cancelAll()
    }
  }

  /// Ends what runs, puts everything back, and begins nothing more.
  func stop() {
    isStopped = true
    conversation.signalProgress()
  }

  private func receive(_ packet: RawSpan, from characteristic: Characteristic, at arrival: Timestamp) {
    if conversation.offer(packet) { return }
    var decoded = DecodedPackets()
    guard driver.decode(packet, from: characteristic, at: arrival, into: &decoded) == .taken else { return }
    let values = decoded.readings.values
    let isFirst = measured.samples == 0
    measured.take(
      decoded.readings.entries.filter { $0.stream == Self.stream }.map { Array(values[$0.values]) },
      at: arrival)
    if isFirst, measured.samples > 0 { conversation.signalProgress() }
  }

  private func expireQuestions() async {
    while !Task.isCancelled {
      do { try await timekeeper.sleep(for: Self.tick) } catch { return }
      conversation.expire(at: timekeeper.uptime)
    }
  }
}

// The steps.
extension TrySession {
  private var goesOn: Bool { !isStopped && conversation.ending == nil }

  private func goThroughSteps() async {
    guard await interview(), goesOn else { return }
    var exclusions = await survey()
    guard goesOn else { return }
    await readBattery()
    guard goesOn else { return }
    await lightLED(unless: exclusions.led)
    guard goesOn else { return }
    await runMotor(unless: exclusions.haptic)
    guard goesOn else { return }
    if exclusions.acceleration == nil { await noteConflicts(in: &exclusions) }
    guard goesOn else { return }
    await measure(unless: exclusions.acceleration)
  }

  /// What failed because the connection ended is told once: at its end.
  private func tell(_ step: TryStep) async {
    if case .failed = step.outcome, conversation.ending != nil { return }
    await report(step)
  }

  private func interview() async -> Bool {
    do throws(ProtocolFailure) {
      let interview = try await driver.interview(remembering: nil)
      driver.recall(streams: [])
      driver.recall(program: [], isReset: true)
      await tell(.information(interview.description))
      return true
    } catch {
      await tell(.unanswered(.information, "\(error)"))
      return false
    }
  }

  private func survey() async -> TryExclusions {
    do throws(ProtocolFailure) {
      let foreign = try await driver.survey().foreign.sorted()
      await tell(.programs(foreign))
      return TryExclusions(foreign: foreign)
    } catch {
      await tell(.unanswered(.programs, "\(error)"))
      return TryExclusions(foreign: nil)
    }
  }

  private func readBattery() async {
    do throws(CommandFailure) {
      await tell(.battery(try await driver.read(StreamRequest(name: "battery", configuration: [:]))))
    } catch {
      await tell(.unanswered(.battery, error.message))
    }
  }

  private func lightLED(unless reason: String?) async {
    if let reason { return await tell(.leftOut(.led, reason)) }
    let show = await driver.perform(.led(.show(Self.flashes)))
    if case .done = show { await wait(Self.flashes.duration ?? .zero) { false } }
    // Also where it may have been lit only.
    await tell(.led(show, off: await driver.perform(.led(.off))))
  }

  private func runMotor(unless reason: String?) async {
    if let reason { return await tell(.leftOut(.haptic, reason)) }
    let command = HapticCommand(.motor(percent: 100), milliseconds: Self.vibration)
    let outcome = await driver.perform(.haptic(command))
    if case .done = outcome { await wait(.milliseconds(Int(Self.vibration))) { false } }
    await tell(.haptic(outcome, milliseconds: Self.vibration))
  }

  private func noteConflicts(in exclusions: inout TryExclusions) async {
    do throws(ProtocolFailure) {
      exclusions.take(
        running: try await driver.conflicts([Self.stream: Self.acceleration], button: false))
    } catch {
      exclusions.acceleration = "what runs on the board could not be read: \(error)"
    }
  }

  private func measure(unless reason: String?) async {
    if let reason { return await tell(.leftOut(.acceleration, reason)) }
    let applied: StreamsApplied
    do throws(ProtocolFailure) {
      applied = try await driver.apply([Self.stream: Self.acceleration], button: false)
    } catch {
      _ = await stopMeasuring()
      return await tell(.unanswered(.acceleration, "\(error)"))
    }
    if let refusal = applied.refused[Self.stream] {
      _ = await stopMeasuring()
      return await tell(
        .refused(.acceleration, .failed(refusal), "the acceleration could not be measured"))
    }
    await wait(Self.firstSampleTimeout) { self.measured.samples > 0 }
    if measured.samples > 0 { await wait(Self.measuringTime) { false } }
    // What comes while it is being stopped does not count.
    let result = measured
    let stop = await stopMeasuring()
    guard !(isStopped && result.samples == 0) else { return }
    await tell(.acceleration(result, asked: Self.rate, evidence: applied.evidence, stop: stop))
  }

  /// How it was verified that the board stopped; nil when it did not.
  private func stopMeasuring() async -> Evidence? {
    do throws(ProtocolFailure) { return try await driver.apply([:], button: false).evidence } catch {
      return nil
    }
  }

  /// Waits so long, or until it is over, or until somebody wants it to end.
  private func wait(_ span: Duration, until isOver: () -> Bool) async {
    let end = timekeeper.uptime + span
    while !isOver(), goesOn, timekeeper.uptime < end {
      do throws(ProtocolFailure) {
        try await conversation.awaitProgress(within: end - timekeeper.uptime)
      } catch { return }
    }
  }
}
