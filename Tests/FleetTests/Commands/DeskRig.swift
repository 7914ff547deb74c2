import Dialects
import FleetModel
import Storage
import Support
import Testing

@testable import Fleet

/// A command desk with a store in memory and scripted executors, in one seeded world. Several desks may follow each
/// other on one store, as processes do.
struct DeskRig: Sendable {
  let world: SeededWorld
  let store: Store
  let counters = Counters()
  let script = DeskScript()
  let dialect = PlainDialect(topics: TopicTree(base: "m", gateway: "gw"))
  var limits = CommandLimits()

  init(seed: UInt64, limits: CommandLimits = CommandLimits()) throws {
    world = SeededWorld(seed: seed)
    store = try Store(inMemoryOn: world)
    self.limits = limits
  }

  /// A process: starts a desk, lets it take up what the last one left, and runs `body` beside it. Returns nil when the
  /// process was killed: the world came to rest before `body` ended.
  func process<Result: Sendable>(_ body: @escaping @Sendable (CommandDesk) async -> Result) -> Result? {
    let (script, topics) = (script, dialect.topics)
    return world.run(atMost: .seconds(200_000)) {
      let desk = CommandDesk(
        store: store, dialect: dialect, topics: { topics.command(to: $0, $1) }, timekeeper: world,
        counters: counters,
        gateway: "gw", limits: limits, seed: world.seed, log: silentLog())
      await desk.connect(
        CommandDesk.Routes(
          board: { _ in nil }, gateway: { intent, _ in await script.perform(intent) },
          isOwnedElsewhere: { board in
            try? await world.sleep(for: .seconds(1))
            return await script.elsewhere.contains(board)
          }, published: {}, deliver: { await script.told($0) }))
      return await withTaskGroup(of: Result?.self) { group in
        group.addTask {
          await desk.run()
          return nil
        }
        group.addTask {
          await desk.recover()
          return await body(desk)
        }
        var result: Result?
        for await finished in group where finished != nil {
          result = finished
          group.cancelAll()
        }
        return result
      }
    }.flatMap { $0 }
  }

  /// As a process that is killed: something in it never comes to its end.
  func runUntilKilled(_ body: @escaping @Sendable (CommandDesk) async -> Void) {
    #expect(process(body) == nil, "seed \(world.seed)")
  }

  /// As a process that must live.
  func run<Result: Sendable>(_ body: @escaping @Sendable (CommandDesk) async -> Result) throws -> Result {
    try #require(process(body), "seed \(world.seed): the world stopped at \(world.uptime)")
  }

  /// A message comes in, as the uplink would hand it on.
  func send(
    _ payload: String, to verb: String = "reload", of target: CommandTarget = .gateway("gw"),
    desk: CommandDesk,
    id: String = "fresh", change: @Sendable (inout MQTTMessage) -> Void = { _ in }
  ) async {
    var message = MQTTMessage(topic: dialect.topics.command(to: target, verb), payload: Array(payload.utf8))
    change(&message)
    let meaning = dialect.read(message, arrived: world.now) { id }
    guard case .command(let target, let verb, let command) = meaning else { return }
    await desk.submit(target, verb, command)
  }

  func pass(_ duration: Duration) async { try? await world.sleep(for: duration) }

  /// The replies in the outbox, oldest first.
  var replies: [JSONObject] {
    get async {
      let rows = (try? await store.waiting(limit: 10_000)) ?? []
      return rows.compactMap { (try? StrictJSON.parse($0.message.payload, limits: .trusting))?.object }
    }
  }

  /// Their stages.
  var stages: [String] { get async { await replies.compactMap { $0["stage"]?.string } } }

  /// What was said past the ledger: refusals at the door, repeats and events.
  var said: [JSONObject] {
    get async {
      await script.events.flatMap { dialect.messages(for: $0) }
        .compactMap { (try? StrictJSON.parse($0.message.payload, limits: .trusting))?.object }
    }
  }
}

/// What becomes of commands, and what was said.
actor DeskScript {
  private(set) var performed: [Intent] = []
  private(set) var events: [FleetEvent] = []
  private(set) var elsewhere: Set<BoardID> = []
  private var isHanging = false
  private var outcome = CommandOutcome.done(evidence: nil, data: ["n": 1])

  func perform(_ intent: Intent) async -> CommandOutcome {
    performed.append(intent)
    // Nothing wakes it, not even cancellation: as far as the world goes, the process dies here.
    if isHanging { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    return outcome
  }

  func told(_ events: [FleetEvent]) { self.events += events }

  /// Lets commands never come to an end.
  func hang(_ isHanging: Bool) { self.isHanging = isHanging }

  /// Decides how commands end.
  func end(with outcome: CommandOutcome) { self.outcome = outcome }

  /// Says which boards are other gateways'.
  func set(elsewhere boards: Set<BoardID>) { elsewhere = boards }
}
