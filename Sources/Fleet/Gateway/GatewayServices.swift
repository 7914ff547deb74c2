import BoardKit
import Dialects
import FleetModel
import Storage

/// What a gateway consists of besides its boards: each lives by itself, and is made once, with the ways to all others
/// that it needs.
struct GatewayServices: Sendable {
  let topics: TopicTree
  let offers = SharedOffers()
  private let encodings: SampleEncodings
  private let responseTopics: ResponseRights
  let scheduler: ConnectionScheduler
  let uplink: Uplink
  let dispatcher: CommandDispatcher
  /// Nil for a family whose boards log nothing.
  let logs: LogPublisher?
  let ticker: SessionTicker
  let firmware: FirmwareChecks
  let rollouts: RolloutRunner
  /// Woken when a document of the gateway may say something else.
  let reportWaker = TaskWaker()
  /// Woken when maintenance must not wait.
  let maintenanceWaker = TaskWaker()
  /// Supervisors that were made and are to run.
  let newSupervisors: AsyncStream<BoardSupervisor>
  private let feed: AsyncStream<BoardSupervisor>.Continuation

  init(
    of gateway: Gateway, _ configuration: FleetConfiguration, _ environment: GatewayEnvironment,
    counters: Counters, random: inout SeededGenerator
  ) {
    let timekeeper = environment.timekeeper
    topics = TopicTree(base: configuration.mqtt.base, gateway: configuration.gateway.id)
    let topics = topics
    encodings = SampleEncodings(configuration.lanes.encodings)
    responseTopics = ResponseRights(configuration.commands.responseTopics)
    let dialect = PlainDialect(topics: topics, encodings: encodings, responseTopics: responseTopics)
    scheduler = ConnectionScheduler(
      timekeeper: timekeeper, placesPerAdapter: configuration.bluetooth.maximumLinksPerAdapter,
      changes: reportWaker)
    uplink = Uplink(
      broker: environment.broker, dialect: dialect, store: environment.store, timekeeper: timekeeper,
      counters: counters, configuration: configuration.mqtt, limits: configuration.storage,
      gateway: configuration.gateway.id,
      discovery: HomeAssistantDiscovery(
        topics: topics, version: environment.host.version,
        configuration: configuration.consumers.homeAssistant),
      seed: random.next(), log: environment.log,
      handlers: Uplink.Handlers(
        command: { [weak gateway] target, verb, command in await gateway?.submit(target, verb, command) },
        retainedState: { [weak gateway] in await gateway?.retainedState() ?? ([], []) },
        connection: { [weak gateway] change in
          if let gateway { await change.arrive(at: gateway) }
        }), published: environment.published)
    let uplink = uplink
    logs = environment.family.logFormat.map { format in
      LogPublisher(
        store: environment.store, dialect: dialect, format: format, timekeeper: timekeeper,
        counters: counters, log: environment.log, seed: environment.seed &+ 1,
        isClockSet: { timekeeper.now.isPlausible }, grew: { await uplink.outboxGrew() },
        notice: { [weak gateway] notice in await gateway?.noticed(notice) }, published: environment.published)
    }
    ticker = SessionTicker(
      of: environment.radio, timekeeper: timekeeper, deliver: { await uplink.deliver($0) })
    dispatcher = CommandDispatcher(
      records: CommandRecords(
        store: environment.store, dialect: dialect, topics: { topics.command(to: $0, $1) },
        timekeeper: timekeeper, counters: counters, log: environment.log,
        sayUnwritten: { await uplink.deliver($0) }, published: environment.published),
      limits: configuration.commands, seed: random.next(),
      routes: CommandRoutes(
        board: { [weak gateway] board in await gateway?.supervisors[board] },
        members: { [weak gateway] group in await gateway?.members(of: group) ?? [:] },
        gateway: { [weak gateway] intent, stages in
          guard let gateway else { return .failed(CommandFailure(.internal, "the gateway is stopping")) }
          return await GatewayCommand(stages: stages).carryOut(intent, by: gateway)
        },
        isOwnedElsewhere: { await uplink.isOwnedElsewhere($0) },
        isAmongOthers: { await uplink.isAmongOthers() },
        published: { await uplink.outboxGrew(by: CommandRecords.mostMessages) },
        deliver: { await uplink.deliver($0) },
        memberEnded: { [weak gateway] board, outcome, job in
          await gateway?.services.rollouts.ended(board, outcome, of: job)
        }))
    firmware = FirmwareChecks(
      environment.firmware, configuration, timekeeper: timekeeper, seed: environment.seed &+ 2,
      log: environment.log, boards: { [weak gateway] in await gateway?.supervisorsInOrder ?? [] },
      deliver: { await uplink.deliver($0) })
    rollouts = RolloutRunner(
      configuration, store: environment.store, timekeeper: timekeeper, log: environment.log,
      routes: Self.rolloutRoutes(of: gateway, dispatcher, firmware, topics))
    (newSupervisors, feed) = AsyncStream.makeStream()
  }

  private static func rolloutRoutes(
    of gateway: Gateway, _ dispatcher: CommandDispatcher, _ firmware: FirmwareChecks, _ topics: TopicTree
  ) -> RolloutRoutes {
    RolloutRoutes(
      fleet: { [weak gateway] in
        if let gateway { await RolloutFleet.look(at: gateway) } else { RolloutFleet() }
      },
      installation: { (request: InstallationRequest) async throws(CommandFailure) in
        await firmware.check(unlessFresh: true)
        _ = try await firmware.installation(request)
      },
      begin: { await $0.begin(on: dispatcher) },
      key: { CommandEntry.Key(topic: topics.command(to: .group($0.group), RolloutVerbs.name), id: $0.id) },
      memberKey: { CommandEntry.Key(topic: topics.command(to: $0.target, $0.verb), id: $0.id) },
      publish: { [weak gateway] publication in
        if let gateway { await RolloutReports.publish(publication, by: gateway) }
      })
  }

  /// Works until cancelled: what needs nobody else to begin with.
  func run() async {
    await withDiscardingTaskGroup { group in
      group.addTask { await ticker.run() }
      group.addTask { await firmware.run() }
      group.addTask { await scheduler.run() }
      group.addTask { await rollouts.run() }
    }
  }

  /// Hands a new configuration to those that keep some of it.
  func change(to configuration: FleetConfiguration) async {
    await dispatcher.change(to: configuration.commands)
    responseTopics.change(to: configuration.commands.responseTopics)
    await uplink.change(to: configuration.storage)
    await scheduler.change(placesPerAdapter: configuration.bluetooth.maximumLinksPerAdapter)
    await firmware.change(to: configuration)
    await rollouts.change(to: configuration)
    encodings.change(to: configuration.lanes.encodings)
    await uplink.change(to: configuration.consumers.homeAssistant)
    await uplink.change(to: configuration.mqtt)
  }

  /// Has a supervisor run until it is retired.
  func supervise(_ supervisor: BoardSupervisor) { feed.yield(supervisor) }
}
