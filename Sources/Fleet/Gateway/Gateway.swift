import BoardKit
import Dialects
package import FleetModel
import Logging
package import Storage

/// The root: this gateway's part of the fleet. Owns the supervisors, keeps them at what is wanted, and tells how the
/// gateway itself is.
package actor Gateway {
  let environment: GatewayEnvironment
  /// What is counted since the process started.
  package nonisolated let counters = Counters()
  /// Made when the gateway first works: they know it.
  private(set) lazy var services = GatewayServices(
    of: self, configuration, environment, counters: counters, random: &random)
  var configuration: FleetConfiguration
  /// Boards that are wanted, and those that are looked after.
  var roster = FleetRoster()
  private(set) var supervisors: [BoardID: BoardSupervisor] = [:]
  /// What the store has of boards that nobody looks after.
  var memories = BoardMemories()
  var radio = RadioState()
  /// Which boards that are not admitted join by themselves, and which of them are reported.
  var joining: Joining
  /// Since when no board is connected until somebody says so; nil while they are.
  var drained: Timestamp?
  /// What is published of the gateway, and how its store is.
  var documents = GatewayDocuments()
  var storage = StorageStatus()
  private var random: SeededGenerator
  var started: (time: Timestamp, uptime: Duration)

  package init(configuration: FleetConfiguration, environment: GatewayEnvironment) {
    self.configuration = configuration
    self.environment = environment
    random = SeededGenerator(seed: environment.seed)
    let timekeeper = environment.timekeeper
    started = (timekeeper.now, timekeeper.uptime)
    documents.troubles.replacedDatabase = environment.store.damaged
    joining = Joining(JoinPermission(configuration.admission, since: timekeeper.uptime))
  }

  var uplink: Uplink { services.uplink }
  var scheduler: ConnectionScheduler { services.scheduler }

  /// Dictionaries have no order of their own; a seeded run needs one.
  var supervisorsInOrder: [BoardSupervisor] {
    supervisors.sorted { $0.key < $1.key }.map(\.value)
  }

  var now: Timestamp { environment.timekeeper.now }
  var uptime: Duration { environment.timekeeper.uptime }

  /// Works until cancelled. Throws when the store can no longer be trusted: the process must end and start anew.
  package func run() async throws(StoreFailure) {
    try await restore()
    await ConfigurationReload.begin(with: memories.wanted, for: self)
    await environment.store.keepFree(Int(clamping: configuration.storage.minimumFree))
    await publish(.process, "started")
    await StartNotice.publish(for: self)
    if let setAside = environment.store.setAside {
      environment.log.error(
        "the database was damaged; a new one was begun, boards admitted by command must be admitted again",
        metadata: ["kept": "\(setAside)"])
      for kind in [EventKind.storage, .storageFull] {
        await publish(
          kind, "corrupt",
          message:
            "the database was damaged and is kept as \(setAside); boards admitted by command must be admitted again"
        )
      }
    }
    let failure = await withTaskGroup(of: StoreFailure?.self) { group in
      let (environment, services) = (environment, services)
      if let logs = services.logs {
        group.addTask {
          do throws(StoreFailure) { try await logs.run() } catch { return error }
          return nil
        }
      }
      group.addTask {
        do throws(StoreFailure) { try await services.uplink.run() } catch { return error }
        return nil
      }
      group.addTask {
        await environment.radio.run(); return nil
      }
      group.addTask {
        await services.run(); return nil
      }
      group.addTask {
        await PreemptionLoop.run(for: self); return nil
      }
      group.addTask {
        await RadioMonitor.run(for: self); return nil
      }
      group.addTask {
        await RadioMonitor.lookForMissingBoards(of: self); return nil
      }
      group.addTask {
        await services.dispatcher.run(); return nil
      }
      group.addTask {
        await self.runSupervisors(); return nil
      }
      group.addTask {
        await GatewayReports.run(for: self); return nil
      }
      group.addTask {
        await MaintenanceLoop.run(for: self); return nil
      }
      group.addTask {
        await RecoveryLoop.run(for: self); return nil
      }
      await reconcile()
      await services.rollouts.takeUp()
      await services.dispatcher.recover()
      await environment.radio.discover(true, unfiltered: false)
      return await group.firstFailure()
    }
    if let failure { throw failure }
  }

  /// Ends cleanly: links closed, boards `unknown`, outbox emptied as far as possible, the broker left in order. The
  /// caller cancels `run` afterwards, and is told what it is about.
  package func stop(noting note: @Sendable (StopStep) -> Void = { _ in }) async {
    await GatewayStop.run(for: self, noting: note)
  }

  private func restore() async throws(StoreFailure) {
    let stored = try await environment.store.boards.memories()
    memories = BoardMemories(stored)
    roster = FleetRoster(stored, try await environment.store.boards.admissions())
    joining.block(try await environment.store.boards.blocked())
  }

  /// A command came in.
  func submit(_ target: CommandTarget, _ verb: String, _ command: IncomingCommand) async {
    await services.dispatcher.submit(target, verb, command)
  }

  func members(of group: String) -> [BoardID: [String]] {
    roster.members(of: group).filter { supervisors[$0.key] != nil }
  }

  private func runSupervisors() async {
    await withDiscardingTaskGroup { group in
      for await supervisor in services.newSupervisors { group.addTask { await supervisor.run() } }
    }
  }

  // Desired against present.

  /// Brings the supervisors to what is wanted. Cheap when nothing changed, so it is simply done again.
  func reconcile() async {
    let plan = roster.reconcile(with: configuration)
    for board in plan.start { await start(board.board) }
    for board in plan.change { await supervisors[board.board]?.change(to: board) }
    for board in plan.retire { await retire(board) }
    guard !plan.isEmpty else { return }
    await expectBoards()
    services.reportWaker.wake()
  }

  private func expectBoards() async {
    await environment.radio.expect(
      Set(supervisors.keys), isSilenceNormal: configuration.bluetooth.isSilenceNormal)
  }

  private func retire(_ board: BoardID) async {
    guard let supervisor = supervisors.removeValue(forKey: board) else { return }
    let isListed = await supervisor.setup.desired.origin == .file
    if isListed { memories.leave(board, at: now) }
    await supervisor.retire(isStopping: false)
    await supervisor.finished()
    // Wanted again meanwhile, it has another supervisor.
    guard roster.desired[board] == nil else { return }
    await scheduler.forget(board)
    await stored(.log(of: board), nil)
    await uplink.deliver([.forgotten(board)])
    guard isListed else { return await MemoryKeeping.forget(board, for: self) }
    await MemoryKeeping.leave(board, for: self)
  }

  private func start(_ id: BoardID) async {
    let memory = await MemoryKeeping.memory(of: id, for: self)
    // Meanwhile it may be wanted otherwise, or no longer.
    guard let board = roster.desired[id], supervisors[id] == nil else { return }
    let supervisor = BoardSupervisor(
      board, memory: memory, seed: random.next(),
      environment: SupervisorEnvironment(
        radio: environment.radio, family: environment.family, scheduler: scheduler, store: environment.store,
        timekeeper: environment.timekeeper, counters: counters, offers: services.offers,
        configuration: configuration, log: environment.log, ticker: services.ticker, gateway: self,
        firmware: services.firmware,
        deliver: { [uplink] events in await uplink.deliver(events) },
        isHostTimeKnown: { [timekeeper = environment.timekeeper] in timekeeper.now.isPlausible },
        archiveGrew: { [logs = services.logs] in logs?.archiveGrew() }))
    supervisors[id] = supervisor
    await MemoryKeeping.comeBack(id, for: self)
    if let trouble = radio.trouble { await supervisor.radioChanged(trouble, radio.serviceMessage) }
    if drained != nil { _ = await BoardDrain.begin(supervisor) }
    services.supervise(supervisor)
  }

  /// Reads the file again and applies what can be applied to a running gateway. `isConfirmed`: somebody said that the
  /// file is meant as it is.
  package func reload(isConfirmed: Bool = false) async -> CommandOutcome {
    await ConfigurationReload.run(isConfirmed: isConfirmed, for: self)
  }

  /// Hands a new configuration to everybody who keeps some of it. The sentences are what of it cannot be had.
  func apply(_ new: FleetConfiguration) async -> [String] {
    configuration = new
    let troubles = await environment.applied(new)
    joining.permission.reloaded(new.admission, since: started.uptime)
    await services.change(to: new)
    await environment.radio.use(new.bluetooth.adapters.map { Set($0) })
    await expectBoards()
    for supervisor in supervisorsInOrder { await supervisor.change(to: new) }
    await reconcile()
    services.reportWaker.wake()
    services.maintenanceWaker.wake()
    return troubles
  }

  /// Publishes an event of the gateway.
  func publish(
    _ kind: EventKind, _ type: String, fields: JSONObject = JSONObject(), message: String? = nil,
    at time: Timestamp? = nil
  ) async {
    let event = EventMessage(
      kind, type, of: .gateway, fields: fields, message: message, at: time ?? now, using: &random)
    await uplink.deliver([.happened(event)])
  }
}
