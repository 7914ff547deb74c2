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
  private let offers = SharedOffers()
  let airtime: Airtime
  let uplink: Uplink
  let desk: CommandDesk
  /// Nil for a family whose boards log nothing.
  let logs: LogPublisher?
  private let heartbeat: Heartbeat
  let topics: TopicTree
  var configuration: FleetConfiguration
  var admitted: [BoardID: (admission: Admission, origin: DesiredBoard.Origin)] = [:]
  /// Profiles that verbs chose.
  var choices: [BoardID: ProfileChoice] = [:]
  var desired: [BoardID: DesiredBoard] = [:]
  var supervisors: [BoardID: BoardSupervisor] = [:]
  var memories: [BoardID: BoardMemory] = [:]
  var random: SeededGenerator
  let started: Timestamp
  let startedUptime: Duration

  // The radio.
  var adapters: [AdapterID: AdapterStatus] = [:]
  var lastAdvertisement: [AdapterID: Timestamp] = [:]
  /// Boards that the system holds connected, whoever connected them.
  var connected: [BoardID: AdapterID] = [:]
  var isServiceAvailable = false
  var serviceMessage = "Bluetooth has not answered yet"
  var lastTrouble: Availability.Reason? = .busLost
  var discovered: [BoardID: Duration] = [:]
  var scanning: [BoardID: Sighting]?
  var door: AdmissionDoor
  /// No board is connected until somebody says so.
  var isDrained = false
  var adapterResets: [AdapterID: Int] = [:]

  // What is told.
  var adapterReports: [AdapterID: AdapterReport] = [:]
  var gatewayInfo: GatewayInfo?
  var mqttProtocol = "5"
  var lastHealth: (Timestamp, [Metric: Double])?
  var storageSpell = StorageSpell()
  /// What lay in the outbox when the store last said so.
  var lastOutbox: OutboxStatistics?
  let reportAlarm = Alarm()
  /// Rung when the household must not wait.
  let householdAlarm = Alarm()

  private let feed: AsyncStream<BoardSupervisor>
  private let feeder: AsyncStream<BoardSupervisor>.Continuation

  package init(configuration: FleetConfiguration, environment: GatewayEnvironment) {
    self.configuration = configuration
    self.environment = environment
    var random = SeededGenerator(seed: environment.seed)
    let timekeeper = environment.timekeeper
    started = timekeeper.now
    startedUptime = timekeeper.uptime
    topics = TopicTree(base: configuration.mqtt.base, gateway: configuration.gateway.id)
    let topics = topics
    let dialect = PlainDialect(topics: topics)
    airtime = Airtime(
      timekeeper: timekeeper, placesPerAdapter: configuration.bluetooth.maximumLinksPerAdapter)
    uplink = Uplink(
      broker: environment.broker, dialect: dialect, store: environment.store, timekeeper: timekeeper,
      counters: counters, configuration: configuration.mqtt, limits: configuration.storage,
      gateway: configuration.gateway.id, seed: random.next(), log: environment.log)
    if let format = environment.family.logFormat {
      logs = LogPublisher(
        store: environment.store, dialect: dialect, format: format, timekeeper: timekeeper,
        counters: counters,
        log: environment.log, seed: environment.seed &+ 1,
        isClockSet: { [timekeeper = environment.timekeeper] in timekeeper.now.isPlausible },
        grew: { [uplink] in await uplink.outboxGrew() })
    } else {
      logs = nil
    }
    heartbeat = Heartbeat(
      of: environment.radio, timekeeper: timekeeper, deliver: { [uplink] in await uplink.deliver($0) })
    desk = CommandDesk(
      records: CommandRecords(
        store: environment.store, dialect: dialect, topics: { topics.command(to: $0, $1) },
        timekeeper: timekeeper, counters: counters, log: environment.log,
        sayUnwritten: { [uplink] in await uplink.deliver($0) }),
      limits: configuration.commands, seed: random.next())
    door = AdmissionDoor(configuration.admission, since: timekeeper.uptime)
    self.random = random
    (feed, feeder) = AsyncStream.makeStream()
  }

  /// Dictionaries have no order of their own; a seeded run needs one.
  var supervisorsInOrder: [BoardSupervisor] {
    supervisors.sorted { $0.key < $1.key }.map(\.value)
  }

  var now: Timestamp { environment.timekeeper.now }
  var uptime: Duration { environment.timekeeper.uptime }

  /// Works until cancelled. Throws when the store can no longer be trusted: the process must end and start anew.
  package func run() async throws(StoreFailure) {
    try await restore()
    await environment.store.keepFree(Int(clamping: configuration.storage.minimumFree))
    await connectParts()
    await tell(.process, "started")
    if let setAside = environment.store.setAside {
      for kind in [EventKind.storage, .storageFull] {
        await tell(kind, "corrupt", message: "a damaged database was put aside as \(setAside)")
      }
    }
    let failure = await withTaskGroup(of: StoreFailure?.self) { group in
      let (environment, uplink, desk, heartbeat) = (environment, uplink, desk, heartbeat)
      if let logs {
        group.addTask {
          do throws(StoreFailure) { try await logs.run() } catch { return error }
          return nil
        }
      }
      group.addTask {
        do throws(StoreFailure) { try await uplink.run() } catch { return error }
        return nil
      }
      group.addTask {
        await environment.radio.run(); return nil
      }
      group.addTask {
        await heartbeat.run(); return nil
      }
      group.addTask {
        await self.watchRadio(); return nil
      }
      group.addTask {
        await desk.run(); return nil
      }
      group.addTask {
        await self.runSupervisors(); return nil
      }
      group.addTask {
        await self.keepReporting(); return nil
      }
      group.addTask {
        await self.keepHousehold(); return nil
      }
      await reconcile()
      await desk.recover()
      await environment.radio.discover(true, unfiltered: false)
      for await failure in group where failure != nil {
        group.cancelAll()
        return failure
      }
      return nil
    }
    if let failure { throw failure }
  }

  /// Ends cleanly: links closed, boards `unknown`, outbox emptied as far as possible, the broker told. The caller
  /// cancels `run` afterwards.
  package func stop() async {
    environment.log.info("stopping")
    let all = supervisorsInOrder
    await withDiscardingTaskGroup { group in
      for supervisor in all { group.addTask { await supervisor.retire(isStopping: true) } }
    }
    await withDiscardingTaskGroup { group in
      for supervisor in all { group.addTask { await supervisor.finished() } }
    }
    await uplink.stop(within: .seconds(8))
  }

  private func restore() async throws(StoreFailure) {
    memories = try await environment.store.boardMemories()
    choices = memories.compactMapValues { Remembered.choice($0) }
    for kept in try await environment.store.admissions() {
      guard let admission = KeptAdmission.read(kept) else { continue }
      admitted[admission.board] = (admission, DesiredBoard.Origin(rawValue: kept.admittedBy) ?? .command)
    }
  }

  private func connectParts() async {
    await uplink.handle(
      Uplink.Handlers(
        command: { [desk] target, verb, command in await desk.submit(target, verb, command) },
        retainedState: { [weak self] in await self?.retainedState() ?? ([], []) },
        connection: { [weak self] change in await self?.uplinkChanged(change) }))
    await desk.connect(
      CommandDesk.Routes(
        board: { [weak self] board in await self?.supervisors[board] },
        members: { [weak self] group in await self?.members(of: group) ?? [:] },
        gateway: { [weak self] intent, stages in
          await self?.perform(intent, stages) ?? .failed(CommandFailure(.internal, "the gateway is stopping"))
        },
        isOwnedElsewhere: { [uplink] board in await uplink.isOwnedElsewhere(board) },
        isAmongOthers: { [uplink] in await uplink.isAmongOthers() },
        published: { [uplink] in await uplink.outboxGrew(by: CommandRecords.mostMessages) },
        deliver: { [uplink] events in await uplink.deliver(events) }))
    await logs?.connect { [weak self] notice in await self?.noticed(notice) }
  }

  /// The boards of a group, with the groups of each; all boards are in one without being told.
  private func members(of group: String) -> [BoardID: [String]] {
    desired.filter { group == GroupRules.all || $0.value.groups.contains(group) }.mapValues(\.groups)
      .filter { supervisors[$0.key] != nil }
  }

  private func runSupervisors() async {
    await withDiscardingTaskGroup { group in
      for await supervisor in feed { group.addTask { await supervisor.run() } }
    }
  }

  // Desired against present.

  /// Brings the supervisors to what is wanted. Cheap when nothing changed, so it is simply done again.
  func reconcile() async {
    let wanted = DesiredFleet.boards(
      file: configuration, admitted: admitted.sorted { $0.key < $1.key }.map(\.value), choices: choices)
    let plan = ReconcilePlan(from: desired, to: wanted)
    desired = wanted
    for board in plan.start { await start(board) }
    for board in plan.change { await supervisors[board.board]?.change(to: board) }
    for board in plan.retire { await retire(board) }
    if !plan.isEmpty { reportAlarm.ring() }
  }

  private func retire(_ board: BoardID) async {
    guard let supervisor = supervisors.removeValue(forKey: board) else { return }
    choices[board] = nil
    await supervisor.retire(isStopping: false)
    await supervisor.finished()
    await airtime.forget(board)
    await stored(.log(of: board), nil)
    await uplink.deliver([.forgotten(board)])
    do throws(StoreFailure) { try await environment.store.forgetMemory(of: board) } catch {
      environment.log.error(
        "a board's memory cannot be removed", metadata: ["board": "\(board)", "reason": "\(error)"])
    }
  }

  private func start(_ board: DesiredBoard) async {
    let supervisor = BoardSupervisor(
      board, memory: memories.removeValue(forKey: board.board), seed: random.next(),
      environment: SupervisorEnvironment(
        radio: environment.radio, family: environment.family, airtime: airtime, store: environment.store,
        timekeeper: environment.timekeeper, counters: counters, offers: offers, configuration: configuration,
        log: environment.log, heartbeat: heartbeat,
        deliver: { [uplink] events in await uplink.deliver(events) },
        explain: { [weak self] board in
          await self?.explain(board) ?? .failed(CommandFailure(.internal, "the gateway is stopping"))
        },
        missingProfile: { [weak self] name in await self?.missing(profile: name) },
        choose: { [weak self] board, choice in await self?.choose(choice, for: board) },
        isHostTimeKnown: { [timekeeper = environment.timekeeper] in timekeeper.now.isPlausible },
        archiveGrew: { [logs] in logs?.archiveGrew() },
        archived: { [weak self] board, failure in await self?.stored(.log(of: board), failure) },
        linksChanged: { [reportAlarm] in reportAlarm.ring() }))
    supervisors[board.board] = supervisor
    if let trouble = lastTrouble { await supervisor.radioChanged(trouble, serviceMessage) }
    if isDrained { _ = await supervisor.release() }
    feeder.yield(supervisor)
  }

  /// Publishes an event of the gateway.
  func tell(
    _ kind: EventKind, _ type: String, fields: JSONObject = JSONObject(), message: String? = nil,
    at time: Timestamp? = nil
  ) async {
    let time = time ?? now
    await uplink.deliver([
      .happened(
        Happening(
          kind, type, subject: .gateway, fields: fields, message: message, id: ULID(at: time, using: &random),
          time: time))
    ])
  }
}
