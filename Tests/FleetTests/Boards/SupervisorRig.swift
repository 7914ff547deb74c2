import BoardKit
import FleetModel
import Storage
import Support
import VirtualTime

@testable import Fleet

/// Supervisors of toy boards in one seeded world, with the true times of a building.
struct SupervisorRig: Sendable {
  let world: SeededWorld
  let radio: ToyRadio
  let scheduler: ConnectionScheduler
  private let ticker: SessionTicker
  let supervisors: [BoardSupervisor]
  let counters = Counters()
  let log: EventLog
  let store: Store
  /// The flash that its boards have, if they have one.
  let flash: ToyFlash?
  /// What its board gets, if it takes firmware.
  let firmware: ToyFirmware?
  private let steps: StepListener
  private let passed: @Sendable (SupervisorRig, DownloadStep) async -> Void

  static let adapter = AdapterID.number(1)

  private init(
    _ world: SeededWorld, boards: Int, profile: Profile?, flash: ToyFlash?, store: Store?,
    memory: BoardMemory?, firmware: ToyFirmware?,
    passed: @escaping @Sendable (SupervisorRig, DownloadStep) async -> Void
  ) throws {
    self.world = world
    let (radio, log) = (ToyRadio(world: world), EventLog(world: world))
    (self.radio, self.log) = (radio, log)
    let scheduler = ConnectionScheduler(timekeeper: world, placesPerAdapter: nil)
    self.scheduler = scheduler
    let ticker = SessionTicker(of: radio, timekeeper: world, deliver: { await log.take($0) })
    self.ticker = ticker
    var streaming = Profile()
    streaming.streams = ["acceleration": .acceleration(50)]
    let profile = profile ?? streaming
    let store = try store ?? Store(inMemoryOn: world)
    self.store = store
    let steps = StepListener(world: world)
    let family =
      firmware.map(ToyFamily.descriptor(with:)) ?? flash.map(ToyFamily.descriptor(with:))
      ?? ToyFamily.descriptor
    let checks = firmware.map {
      FirmwareChecks(
        $0.source, FleetConfiguration(), timekeeper: world, seed: 1, log: silentLog(), boards: { [] },
        deliver: { _ in })
    }
    supervisors = (1...boards).map { [counters] number in
      BoardSupervisor(
        DesiredBoard(
          board: .number(number), origin: .file, profile: profile, groups: [], labels: [:], isEnabled: true),
        memory: memory, seed: world.seed &+ UInt64(number),
        environment: SupervisorEnvironment(
          radio: radio, family: family,
          scheduler: scheduler, store: store, timekeeper: world,
          counters: counters, offers: SharedOffers(), configuration: FleetConfiguration(), log: silentLog(),
          ticker: ticker, gateway: RigHost(log: log, steps: steps), firmware: checks,
          deliver: { await log.take($0) }))
    }
    (self.steps, self.flash, self.firmware) = (steps, flash, firmware)
    self.passed = passed
  }

  /// Plays `body` while the boards are looked after and heard every ten seconds. Returns nil when it never ended.
  static func play<Result: Sendable>(
    boards: Int = 1, atMost limit: Duration = .seconds(7_200), seed: UInt64 = 1, isHeard: Bool = true,
    plan: [ToyRadio.Attempt] = [], always: ToyRadio.Attempt? = nil, profile: Profile? = nil,
    memory: BoardMemory? = nil, firmware: ToyFirmware? = nil, job: FirmwareJob? = nil,
    flash: (@Sendable (SeededWorld) -> ToyFlash)? = nil,
    passed: @escaping @Sendable (SupervisorRig, DownloadStep) async -> Void = { _, _ in },
    _ body: @escaping @Sendable (SupervisorRig) async -> Result
  ) throws -> Result? {
    let world = SeededWorld(seed: seed)
    let rig = try SupervisorRig(
      world, boards: boards, profile: profile, flash: flash?(world), store: nil, memory: memory,
      firmware: firmware, passed: passed)
    return world.run(atMost: limit) {
      await rig.steps.listen { step in await rig.passed(rig, step) }
      await rig.radio.plan(.number(1), plan, always: always)
      await rig.scheduler.update(adapter, isUsable: true)
      if let job { try? await rig.store.firmware.keep(job) }
      return await withTaskGroup(of: Result?.self) { group in
        group.addTask {
          await rig.radio.run()
          return nil
        }
        group.addTask {
          await rig.ticker.run()
          return nil
        }
        for supervisor in rig.supervisors {
          group.addTask {
            await supervisor.run()
            return nil
          }
        }
        if isHeard {
          group.addTask {
            await rig.advertise()
            return nil
          }
        }
        group.addTask { await body(rig) }
        var result: Result?
        for await finished in group where finished != nil {
          result = finished
          group.cancelAll()
        }
        return result
      }
    }.flatMap { $0 }
  }

  var board: BoardSupervisor { supervisors[0] }

  private func advertise() async {
    while !Task.isCancelled {
      for supervisor in supervisors { await hear(supervisor) }
      do { try await world.sleep(for: .seconds(10)) } catch { return }
    }
  }

  func hear(_ supervisor: BoardSupervisor, name: String = "MetaWear") async {
    await scheduler.advertised(supervisor.board, by: Self.adapter, rssi: -60)
    await supervisor.advertised(
      AdvertisementReport(
        board: supervisor.board, adapter: Self.adapter, name: name, rssi: -60, services: [],
        time: world.now), isBootloader: firmware?.isInBootloader ?? false)
  }

  func pass(_ duration: Duration) async { try? await world.sleep(for: duration) }

  /// Waits until the first board's state says so, and tells when.
  @discardableResult
  func until(_ isSo: @Sendable (BoardState) -> Bool) async -> Duration {
    while await !isSo(board.state), !Task.isCancelled { await pass(.milliseconds(50)) }
    return world.uptime
  }

  /// Waits until the board streams on a link younger than `start`, and tells when.
  @discardableResult
  func streams(after start: Duration = .zero) async -> Duration {
    while !Task.isCancelled {
      await pass(.milliseconds(50))
      let ups = await log.times(of: .linkUp)
      if let last = ups.last, last >= start, await board.state.link == .streaming { break }
    }
    return world.uptime
  }
}

/// What the supervisors find in place of a gateway: any profile but one, and nobody who explains.
private struct RigHost: SupervisorDelegate {
  let log: EventLog
  let steps: StepListener

  func explain(_ board: BoardID) -> CommandOutcome {
    .failed(CommandFailure(.unsupported, "nobody here can explain it"))
  }

  func missing(profile: String) -> CommandFailure? {
    profile == "gone" ? .invalid("there is no profile gone") : nil
  }

  func choose(_ choice: ProfileChoice?, for board: BoardID) {}
  func archived(_ board: BoardID, _ failure: StoreFailure?) async { await log.archived(failure) }
  func countedAnew() async {}
  func passed(_ board: BoardID, _ step: DownloadStep) async { await steps.passed(step) }
}

extension BoardSupervisor {
  /// As a command that comes now.
  func perform(
    _ intent: BoardIntent, expires: Timestamp, mode: CommandRequest.Mode = .now, _ stages: CommandProgress
  ) async -> CommandOutcome {
    await perform(intent, turn: takeTurn(), expires: expires, mode: mode, stages)
  }

  /// As if its session told it.
  func heard(_ report: SessionReport) async { await report.arrive(at: self) }
}

/// What the supervisors told, with the time.
actor EventLog {
  nonisolated let world: SeededWorld
  nonisolated var unownedExecutor: UnownedSerialExecutor { world.asUnownedSerialExecutor() }
  private(set) var events: [(event: FleetEvent, at: Duration)] = []
  /// What was delivered at once, which goes to the disk in one transaction.
  private(set) var deliveries: [[FleetEvent]] = []

  init(world: SeededWorld) { self.world = world }

  func take(_ events: [FleetEvent]) {
    deliveries.append(events)
    self.events += events.map { ($0, world.uptime) }
  }

  /// What the store refused of a log and why; nil: it took some again.
  private(set) var refusals: [StoreFailure?] = []

  func archived(_ failure: StoreFailure?) { refusals.append(failure) }

  /// Events of a kind, and when they were published.
  func published(_ kind: EventKind) -> [(EventMessage, Duration)] {
    events.compactMap { event, time in
      if case .happened(let message) = event, message.kind == kind { (message, time) } else { nil }
    }
  }

  func types(of kind: EventKind) -> [String] { published(kind).map(\.0.type) }
  func times(of kind: EventKind) -> [Duration] { published(kind).map(\.1) }

  /// Reasons of the board's availability, and when each was told.
  var availability: [(Availability.Reason, Duration)] {
    events.compactMap { event, time in
      if case .availability(_, let availability) = event { (availability.reason, time) } else { nil }
    }
  }

  /// States as they were published.
  var states: [BoardState] {
    events.compactMap { if case .state(let state) = $0.event { state } else { nil } }
  }
}
