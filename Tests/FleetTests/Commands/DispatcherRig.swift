import Dialects
import FleetModel
import Storage
import Support
import Synchronization
import Testing
import VirtualTime

@testable import Fleet

/// A command dispatcher with a store in memory and scripted executors, in one seeded world. Several desks may follow
/// each other on one store, as processes do.
struct DispatcherRig: Sendable {
  let world: SeededWorld
  let store: Store
  let counters = Counters()
  let heard = PublishedMessages()
  let script: DispatcherScript
  let dialect = PlainDialect(topics: TopicTree(base: "m", gateway: "gw"))
  var limits = CommandLimits()
  /// Boards, and the groups of each.
  var boards: [BoardID: [String]] = [:]

  init(seed: UInt64, limits: CommandLimits = CommandLimits(), boards: [BoardID: [String]] = [:]) throws {
    world = SeededWorld(seed: seed)
    script = DispatcherScript(world)
    store = try Store(inMemoryOn: world)
    self.limits = limits
    self.boards = boards
  }

  /// A process: starts a dispatcher, lets it take up what the last one left, and runs `body` beside it. Returns nil
  /// when the process died before `body` ended: after so many jobs, killed by the script, or because the world came to
  /// rest.
  ///
  /// - Parameter early: What happens before it takes up what the last one left.
  func process<Result: Sendable>(
    dyingAfter jobs: Int? = nil, early: (@Sendable (CommandDispatcher) async -> Void)? = nil,
    _ body: @escaping @Sendable (CommandDispatcher) async -> Result
  ) -> Result? {
    let process = SeededProcess(in: world, dyingAfter: jobs)
    let ending = Ending<Result>()
    world.run(atMost: .seconds(1_000_000)) {
      await script.begin(process)
      let work = Task(executorPreference: process) {
        let result = await self.work(early, body)
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

  private func work<Result: Sendable>(
    _ early: (@Sendable (CommandDispatcher) async -> Void)?,
    _ body: @escaping @Sendable (CommandDispatcher) async -> Result
  ) async -> Result? {
    let dispatcher = CommandDispatcher(
      records: CommandRecords(
        store: store, dialect: dialect, topics: { [dialect] in dialect.topics.command(to: $0, $1) },
        timekeeper: world, counters: counters, log: silentLog(),
        sayUnwritten: { [script] events in await script.record(events) }, published: heard.take),
      limits: limits, seed: world.seed,
      routes: routes)
    return await withTaskGroup(of: Result?.self) { group in
      group.addTask {
        await dispatcher.run()
        return nil
      }
      if let early {
        group.addTask {
          await early(dispatcher)
          return nil
        }
      }
      group.addTask {
        if early != nil { await pass(.milliseconds(1)) }
        await dispatcher.recover()
        return await body(dispatcher)
      }
      var result: Result?
      for await finished in group where finished != nil {
        result = finished
        group.cancelAll()
      }
      return result
    }
  }

  private var routes: CommandRoutes {
    let (script, groups, world) = (script, boards, world)
    let boards = groups.reduce(into: [BoardID: ScriptedBoard]()) {
      $0[$1.key] = ScriptedBoard($1.key, groups: $1.value, script: script, world: world)
    }
    return CommandRoutes(
      board: { await script.forgotten.contains($0) ? nil : boards[$0] },
      members: { name in groups.filter { name == "all" || $0.value.contains(name) } },
      gateway: { intent, _ in await script.perform(intent) },
      isOwnedElsewhere: { board in
        try? await world.sleep(for: .seconds(1))
        return await script.elsewhere.contains(board)
      },
      isAmongOthers: {
        try? await world.sleep(for: .seconds(1))
        return await script.isAmongOthers
      },
      published: {}, deliver: { await script.record($0) })
  }

  /// As a process that is killed: something in it never comes to its end.
  func runUntilKilled(_ body: @escaping @Sendable (CommandDispatcher) async -> Void) {
    #expect(process(body) == nil, "seed \(world.seed)")
  }

  /// As a process that must live.
  func run<Result: Sendable>(_ body: @escaping @Sendable (CommandDispatcher) async -> Result) throws -> Result
  {
    try #require(process(body), "seed \(world.seed): the world stopped at \(world.uptime)")
  }

  /// A message comes in, as the uplink would hand it on.
  func send(
    _ payload: String, to verb: String = "reload", of target: CommandTarget = .gateway("gw"),
    dispatcher: CommandDispatcher,
    id: String = "fresh", change: @Sendable (inout MQTTMessage) -> Void = { _ in }
  ) async {
    var message = MQTTMessage(topic: dialect.topics.command(to: target, verb), payload: Array(payload.utf8))
    change(&message)
    let meaning = dialect.read(message, arrived: world.now) { id }
    guard case .command(let target, let verb, let command) = meaning else { return }
    await dispatcher.submit(target, verb, command)
  }

  func pass(_ duration: Duration) async { try? await world.sleep(for: duration) }

  /// The replies in the outbox, oldest first.
  var replies: [JSONObject] {
    get async {
      let rows = (try? await store.outbox.waiting(limit: 10_000)) ?? []
      return rows.compactMap { (try? StrictJSON.parse($0.message.payload, limits: .trusting))?.object }
    }
  }

  /// Those of one target.
  func replies(of target: CommandTarget) async -> [JSONObject] {
    let (key, name) =
      switch target {
      case .board(let board): ("board", board.description)
      case .group(let name): ("group", name)
      case .gateway(let id): ("gateway", id)
      }
    return await replies.filter { $0[key]?.string == name }
  }

  /// Their stages.
  var stages: [String] { get async { await replies.compactMap { $0["stage"]?.string } } }

  /// What was said past the ledger: refusals before acceptance, duplicates and events.
  var said: [JSONObject] {
    get async {
      await script.events.flatMap { dialect.messages(for: $0) }
        .compactMap { (try? StrictJSON.parse($0.message.payload, limits: .trusting))?.object }
    }
  }
}
