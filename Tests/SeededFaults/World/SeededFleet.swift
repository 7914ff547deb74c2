import BoardKit
import Dialects
import Fleet
import FleetModel
import MetaMotion
import Simulator
import Storage
import Support
import VirtualTime

/// Plays a script: the real gateway, drivers, dialect and SQLite, with everything around it simulated, on one thread
/// in virtual time.
actor SeededFleet {
  /// How a run went.
  struct Outcome: Sendable {
    var violations: [InvariantViolation]
    var digest: UInt64
    var jobs: Int
    /// Jobs of the first daemon until the script's last step.
    var jobsAtLastStep: Int
    var duration: Duration
  }

  /// Everything must be healthy so long after the last fault (fault matrix 5).
  static let healing = Duration.seconds(300)
  /// The same where a board is in its bootloader, or may come to be by a rollout: what failed too often is tried again
  /// after ten minutes and an hour.
  static let rescue = Duration.seconds(4_500)
  /// Of images, in bytes: as short as tells one part of it from another.
  private static let imageSize = 4_004

  let script: SeededScript
  let world: SeededWorld
  nonisolated var unownedExecutor: UnownedSerialExecutor { world.asUnownedSerialExecutor() }
  nonisolated let ledger: Ledger
  let radio: SeededRadio
  let broker: RecordingBroker
  private let store: Store
  private let health: FleetHealth
  var daemon: SeededDaemon?
  private var firstProcess: SeededProcess?
  private var daemons = 0
  private var jobsAtLastStep = 0
  /// What is taken back, and when.
  var cures: [(at: Duration, fault: SeededFault)] = []

  /// Plays `script` to its end.
  static func play(_ script: SeededScript) throws -> Outcome {
    let world = SeededWorld(seed: script.seed)
    let fleet = try SeededFleet(script, in: world)
    guard let outcome = world.run(atMost: .seconds(7_200), { await fleet.play() }) else {
      let violation = InvariantViolation(
        invariant: "Run", words: "the world came to a stop", at: world.uptime)
      return Outcome(
        violations: fleet.ledger.violations + [violation], digest: 0, jobs: world.jobsRun, jobsAtLastStep: 0,
        duration: world.uptime)
    }
    return outcome
  }

  private init(_ script: SeededScript, in world: SeededWorld) throws {
    self.script = script
    self.world = world
    ledger = Ledger(world: world, invariants: Invariants.all(boards: script.boards, rate: script.rate))
    radio = SeededRadio(world: world, boards: script.boards, seed: script.seed, ledger: ledger)
    broker = RecordingBroker(on: world)
    store = try Store(inMemoryOn: world)
    health = FleetHealth(boards: script.boards)
  }

  private func play() async -> Outcome {
    await broker.observe { [ledger, health, world] message, fate in
      let publication = Publication(message)
      switch fate {
      case .accepted, .unacknowledged:
        health.note(publication, at: world.uptime)
        ledger.note(.published(publication))
      case .refused: ledger.note(.refused(publication))
      case .swallowed: ledger.note(.swallowed(publication))
      }
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { [radio] in await radio.run() }
      if script.hasRollout { await charge() }
      await start()
      for step in script.steps {
        await live(until: step.at)
        jobsAtLastStep = firstProcess?.jobsRun ?? 0
        await inflict(step.fault)
      }
      await calmDown()
      await heal()
      await look()
      ledger.review()
      ledger.note(.ended(isClean: true))
      await daemon?.stop()
      group.cancelAll()
    }
    return Outcome(
      violations: ledger.violations, digest: ledger.digest, jobs: world.jobsRun,
      jobsAtLastStep: jobsAtLastStep, duration: world.uptime)
  }

  // The daemon.

  func start() async {
    do {
      var configuration = try GatewayParts.configuration(
        boards: script.boards, seed: script.seed, rate: script.rate)
      // Nothing is held against live samples; they would be half of all messages.
      configuration.lanes.liveRate = 0.1
      configuration.schedules.firmwareCheck = .never
      if script.hasRollout {
        for index in configuration.boards.indices {
          configuration.boards[index].groups = [RolloutScript.group]
        }
      }
      let next = SeededDaemon(
        daemons, configuration, family: MetaMotionFamily.descriptor, seed: script.seed, world: world,
        radio: radio, broker: broker, store: store, dyingAfter: daemons == 0 ? script.dyingAfter : nil,
        firmware: script.hasUpdates ? SeededFirmware(size: Self.imageSize) : nil)
      daemon = next
      if daemons == 0 { firstProcess = next.process }
      daemons += 1
      ledger.note(.started)
    } catch {
      ledger.accuse("Run", "the daemon does not start: \(error)")
    }
  }

  /// It died: the system learns of it, and somebody starts it again.
  func bury(downFor pause: Duration) async {
    ledger.note(.ended(isClean: false))
    daemon = nil
    await radio.daemonDied()
    await broker.clientDied()
    cures.append((world.uptime + pause, .kill(downFor: pause)))
  }

  // Time.

  private func live(until end: Duration) async {
    while true {
      if let daemon, !daemon.process.isAlive { await bury(downFor: .seconds(2)) }
      let due = cures.indices.filter { cures[$0].at <= world.uptime }
      if let index = due.min(by: { cures[$0].at < cures[$1].at }) {
        await takeBack(cures.remove(at: index).fault)
        continue
      }
      guard world.uptime < end else { return }
      ledger.note(.tick)
      let next = min(end, world.uptime + .seconds(1), cures.map(\.at).min() ?? end)
      try? await world.sleep(for: next - world.uptime)
    }
  }

  private func calmDown() async {
    for cure in cures.sorted(by: { $0.at < $1.at }) { await takeBack(cure.fault) }
    cures.removeAll()
    await radio.cure()
    await mendBootloaders()
    await broker.setReachable(true)
    if await broker.fate != .accepted {
      await broker.setFate(.accepted)
      await broker.reset()
    }
    if daemon == nil { await start() }
    ledger.note(.calm)
  }

  /// Until all is well, and has been for a while.
  private func heal() async {
    let isPlain = await boardsInUpdate().isEmpty && !script.hasRollout
    let end = world.uptime + (isPlain ? Self.healing : Self.rescue)
    var well = 0
    while world.uptime < end {
      await live(until: world.uptime + .seconds(1))
      well = await complaints().isEmpty ? well + 1 : 0
      if well >= 10 { return }
    }
    for complaint in await complaints() { ledger.accuse("I19SameState", complaint) }
  }

  /// Boards whose update is not over, or cannot be read.
  private func boardsInUpdate() async -> [BoardID] {
    var boards: [BoardID] = []
    for board in FleetHealth.names(script.boards) {
      do throws(StoreFailure) {
        if try await store.firmware.job(of: board) != nil { boards.append(board) }
      } catch { boards.append(board) }
    }
    return boards
  }

  private func complaints() async -> [String] {
    var complaints = health.complaints(at: world.uptime)
    complaints += await boardsInUpdate().map { "\($0) is without an application, as far as is known" }
    let outbox = try? await store.outbox.statistics()
    let waiting = outbox?.waiting.messages ?? .max
    if outbox?.refused.messages != 0 { complaints.append("refused messages lie in the outbox") }
    // What was just published may still be on its way.
    if waiting > 10 { complaints.append("\(waiting) messages lie in the outbox") }
    return complaints
  }
}
