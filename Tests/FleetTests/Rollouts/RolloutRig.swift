import BoardKit
import Dialects
import FleetModel
import Storage
import Support
import Synchronization
import Testing
import VirtualTime

@testable import Fleet

/// Rollouts with a dispatcher, a store in memory and scripted boards on two adapters, in one seeded world. Several
/// processes may follow each other, each killed after so much work.
final class RolloutRig: Sendable {
  let world: SeededWorld
  let store: Store
  let script: DispatcherScript
  /// In their order; on the two adapters in turn.
  let boards: [BoardID]
  let version = "1.7.3"
  /// How the updates of boards end that are not done, the same each time.
  private let ends: [BoardID: End]
  private let dialect = PlainDialect(topics: TopicTree(base: "m", gateway: "gw"))

  /// How long an update takes.
  static let takes = Duration.seconds(60)

  enum End: Sendable { case failed, stranded, postponed }

  init(_ count: Int = 40, seed: UInt64 = 1, ends: [Int: End] = [:]) throws {
    world = SeededWorld(seed: seed)
    store = try Store(inMemoryOn: world)
    script = DispatcherScript(world)
    boards = (1...count).map { RolloutRun.board($0) }
    self.ends = Dictionary(uniqueKeysWithValues: ends.map { (RolloutRun.board($0.key), $0.value) })
  }

  func order(_ change: (inout RolloutOptions) -> Void = { _ in }) -> RolloutOrder {
    var options = RolloutOptions()
    (options.canaries, options.soak, options.retries) = (2, .seconds(600), 20)
    (options.perHour, options.growth, options.mostPerHour) = (30, 1, 30)
    change(&options)
    var order = RolloutOrder(version: version, options: options)
    (order.id, order.group) = ("fw-1", "pumps")
    return order
  }

  // What the boards are like, by what was done to them.

  /// What boards were told, in order.
  var effects: [DispatcherScript.Effect] { get async { await script.effects } }

  private func fleet() async -> RolloutFleet {
    let effects = await effects
    var fleet = RolloutFleet()
    for (place, board) in boards.enumerated() {
      var view = RolloutBoard(
        groups: ["pumps"], recipient: FirmwareRecipient(modelNumber: "5", hardwareRevision: "0.4"),
        installed: "1.7.2", battery: 100 - place, adapter: adapter(of: board), isAvailable: true,
        isAnswering: true)
      if let last = effects.last(where: { $0.board == board }) {
        let isOver = world.uptime >= last.time + Self.takes
        switch ends[board] {
        case _ where !isOver: view.update = .underWay
        case .stranded: view.update = .stranded("its checksum is wrong")
        case .failed, .postponed: break
        case nil: view.installed = version
        }
        if view.update != nil { (view.isAvailable, view.isAnswering) = (false, false) }
      }
      fleet.boards[board] = view
    }
    return fleet
  }

  func adapter(of board: BoardID) -> AdapterID {
    RolloutRun.adapter((boards.firstIndex(of: board) ?? 0) % 2)
  }

  // Processes.

  /// What was published of rollouts, in order.
  var reports: [RolloutReport] {
    get async {
      await script.events.compactMap { if case .rollout(let report) = $0 { report } else { nil } }
    }
  }

  /// As a process that must live.
  func run<Result: Sendable>(
    takesUp: Bool = true, _ body: @escaping @Sendable (RolloutRunner) async -> Result
  ) throws -> Result {
    try #require(process(takesUp: takesUp, body), "seed \(world.seed): the world stopped at \(world.uptime)")
  }

  /// A process: takes up what the last one left and runs `body` beside it. Returns nil when it died before `body`
  /// ended.
  func process<Result: Sendable>(
    dyingAfter jobs: Int? = nil, takesUp: Bool = true,
    _ body: @escaping @Sendable (RolloutRunner) async -> Result
  ) -> Result? {
    let process = SeededProcess(in: world, dyingAfter: jobs)
    let ending = Ending<Result>()
    world.run(atMost: .seconds(1_000_000)) { [self] in
      await script.begin(process)
      for board in boards {
        let end = ends[board]
        await script.set(board) { behaviour in
          behaviour.takes = Self.takes
          if end == .postponed {
            behaviour.outcome = .failed(CommandFailure(.lowBattery, "its battery is low"))
          } else if end != nil {
            behaviour.outcome = .failed(CommandFailure(.boardError, "its checksum is wrong"))
          }
        }
      }
      let work = Task(executorPreference: process) {
        let result = await self.work(takesUp, body)
        ending.value.withLock { $0 = result }
        process.kill()
      }
      await process.death()
      work.cancel()
    }
    process.kill()
    return ending.value.withLock { $0 }
  }

  private final class Ending<Result: Sendable>: Sendable { let value = Mutex<Result?>(nil) }
  private final class Place: Sendable { let runner = Mutex<RolloutRunner?>(nil) }

  private func work<Result: Sendable>(
    _ takesUp: Bool, _ body: @escaping @Sendable (RolloutRunner) async -> Result
  ) async -> Result? {
    let place = Place()
    let dispatcher = dispatcher(place)
    let runner = runner(dispatcher)
    place.runner.withLock { $0 = runner }
    return await withTaskGroup(of: Result?.self) { group in
      group.addTask {
        await dispatcher.run()
        return nil
      }
      group.addTask {
        await runner.run()
        return nil
      }
      group.addTask {
        if takesUp { await runner.takeUp() }
        await dispatcher.recover()
        return await body(runner)
      }
      var result: Result?
      for await finished in group where finished != nil {
        result = finished
        group.cancelAll()
      }
      return result
    }
  }

  private func dispatcher(_ place: Place) -> CommandDispatcher {
    let (script, topics) = (script, dialect.topics)
    let scripted = boards.reduce(into: [BoardID: ScriptedBoard]()) {
      $0[$1] = ScriptedBoard($1, groups: ["pumps"], script: script, world: world)
    }
    return CommandDispatcher(
      records: CommandRecords(
        store: store, dialect: dialect, topics: { topics.command(to: $0, $1) }, timekeeper: world,
        counters: Counters(), log: silentLog()), limits: CommandLimits(), seed: world.seed,
      routes: CommandRoutes(
        board: { scripted[$0] }, members: { _ in [:] },
        gateway: { intent, _ in await script.perform(intent) },
        isOwnedElsewhere: { _ in false }, isAmongOthers: { false }, published: {},
        deliver: { await script.record($0) },
        memberEnded: { board, outcome, job in
          await place.runner.withLock { $0 }?.ended(board, outcome, of: job)
        }))
  }

  private func runner(_ dispatcher: CommandDispatcher) -> RolloutRunner {
    let (script, topics) = (script, dialect.topics)
    return RolloutRunner(
      FleetConfiguration(), store: store, timekeeper: world, log: silentLog(),
      routes: RolloutRoutes(
        fleet: { [self] in await fleet() }, installation: { (_: InstallationRequest) in },
        begin: { await $0.begin(on: dispatcher) },
        key: { .init(topic: topics.command(to: .group($0.group), RolloutVerbs.name), id: $0.id) },
        memberKey: { .init(topic: topics.command(to: $0.target, $0.verb), id: $0.id) },
        publish: { publication in
          if let changed = publication.changed { await script.record([.rollout(changed)]) }
        }))
  }
}
