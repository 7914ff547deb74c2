import Dialects
import FleetModel
import Storage
import Support
import Testing
import VirtualTime

@testable import Fleet

/// An uplink with a scripted broker and a store, in memory unless a test says where, in one seeded world.
struct UplinkRig: Sendable {
  let world: SeededWorld
  let broker: ScriptedBroker
  let store: Store
  let counters = Counters()
  let notes = UplinkNotes()
  let heard = PublishedMessages()
  let dialect = PlainDialect(topics: TopicTree(base: "m", gateway: "gw"))
  let uplink: Uplink

  init(
    seed: UInt64, receiveMaximum: Int = 20, maximumPacketSize: Int? = nil,
    brokerRefusal: BrokerFailure? = nil,
    homeAssistant: HomeAssistantConfiguration = .init(),
    configure: (inout UplinkConfiguration, inout StorageConfiguration) -> Void = { _, _ in },
    open: (SeededWorld) throws -> Store = { try Store(inMemoryOn: $0) }
  ) throws {
    world = SeededWorld(seed: seed)
    broker = ScriptedBroker(
      receiveMaximum: receiveMaximum, maximumPacketSize: maximumPacketSize, refusal: brokerRefusal)
    store = try open(world)
    var configuration = UplinkConfiguration()
    var limits = StorageConfiguration()
    configure(&configuration, &limits)
    uplink = Uplink(
      broker: broker, dialect: dialect, store: store,
      timekeeper: world,
      counters: counters, configuration: configuration, limits: limits, gateway: "gw",
      discovery: HomeAssistantDiscovery(
        topics: dialect.topics, version: "1.0.0", configuration: homeAssistant), seed: seed,
      log: silentLog(),
      handlers: Uplink.Handlers(
        command: { [notes] target, verb, command in await notes.heard(target, verb, command) },
        retainedState: { [notes] in await notes.retainedState },
        connection: { [notes] in await notes.changed($0) }), published: heard.take)
  }

  /// A rig whose store runs only while its disk does.
  static func withDisk(
    seed: UInt64, receiveMaximum: Int = 20
  ) throws -> (UplinkRig, disk: SeededProcess) {
    var disk: SeededProcess?
    let open = { (world: SeededWorld) throws -> Store in
      let process = SeededProcess(in: world)
      disk = process
      return try Store(inMemoryOn: process)
    }
    let rig = try UplinkRig(seed: seed, receiveMaximum: receiveMaximum, open: open)
    return (rig, try #require(disk))
  }

  /// Runs the uplink while `body` does something; fails when the world comes to a stop before its end.
  func run<Result: Sendable>(
    atMost limit: Duration = .seconds(3_600), _ body: @escaping @Sendable () async -> Result
  ) throws -> Result {
    let uplink = uplink
    let outcome = world.run(atMost: limit) {
      await withTaskGroup(of: Result?.self) { group in
        group.addTask {
          try? await uplink.run()
          return nil
        }
        group.addTask { await body() }
        var result: Result?
        for await finished in group where finished != nil {
          result = finished
          group.cancelAll()
        }
        return result
      }
    }
    return try #require(outcome.flatMap { $0 }, "seed \(world.seed): the world stopped at \(world.uptime)")
  }

  /// Lets virtual time pass.
  func pass(_ duration: Duration) async { try? await world.sleep(for: duration) }

  /// Waits until the broker has taken a birth.
  func connected() async {
    _ = await broker.message { $0.topic == "m/gateway/gw/availability" && !$0.payload.isEmpty }
    await pass(.seconds(2))
  }

  /// Publishes something that travels as an event, numbered to be recognised.
  func publish(_ number: Int) async { await uplink.deliver([.happened(Self.event(number))]) }

  static func event(_ number: Int) -> EventMessage {
    EventMessage(
      .process, "started", subject: .gateway, fields: ["reason": .string("\(number)")],
      id: .seeded(UInt64(number)),
      time: .at(Int64(number)))
  }

  /// The numbers of those events that arrived, in order.
  var published: [Int] {
    get async {
      await broker.payloads(on: "m/gateway/gw/event/process").compactMap { text in
        text.split(separator: "\"reason\":\"").last?.split(separator: "\"").first.flatMap { Int($0) }
      }
    }
  }

  /// A batch of one sample on the record lane.
  func batch(_ number: Int, samples: Int = 1) async {
    var batch = SampleBatch(
      board: .number(1), stream: "switch", fields: [.init("pressed", "", .flag)], session: .seeded(1),
      boot: 1,
      sequence: number, gapBefore: 0, clock: ClockQuality(source: .arrival, errorMilliseconds: 100),
      configuration: nil)
    batch.times = (0..<samples).map { .at(Int64($0)) }
    batch.values = Array(repeating: 1, count: samples)
    await uplink.deliver([.batch(batch)])
  }

  /// A message that reaches the outbox past the uplink, as a command's reply does.
  func putForeign() async {
    _ = try? await store.outbox.exchange(
      [OutboxMessage(MQTTMessage(topic: "m/foreign", payload: [1]), as: .state, created: .at(0))],
      forDelivered: [], at: .at(0))
    await uplink.outboxGrew()
  }

  var waiting: Int { get async { (try? await store.outbox.statistics().waiting.messages) ?? -1 } }
  var refused: Int { get async { (try? await store.outbox.statistics().refused.messages) ?? -1 } }
}

/// What an uplink told the fleet.
actor UplinkNotes {
  private(set) var commands: [(target: CommandTarget, verb: String, command: IncomingCommand)] = []
  private(set) var changes: [UplinkChange] = []
  private(set) var retainedState: (events: [FleetEvent], boards: Set<BoardID>?) = ([], [])
  private var answer: (@Sendable (CommandTarget) async -> Void)?

  func heard(_ target: CommandTarget, _ verb: String, _ command: IncomingCommand) async {
    commands.append((target, verb, command))
    await answer?(target)
  }

  func changed(_ change: UplinkChange) { changes.append(change) }

  /// Sets what every retained document is now.
  func set(_ events: [FleetEvent], boards: Set<BoardID>) { retainedState = (events, boards) }

  /// Sets what is done about commands.
  func answer(_ answer: @escaping @Sendable (CommandTarget) async -> Void) { self.answer = answer }

  /// What was told of the disk.
  var conditions: [String] {
    zip(changes, words).compactMap { if case .storage = $0 { $1 } else { nil } }
  }

  /// In words, to compare.
  var words: [String] {
    changes.map {
      switch $0 {
      case .connected(let version, let lostAt, _, _): "connected \(version)\(lostAt == nil ? "" : " again")"
      case .foundAdapters(let adapters): "adapters " + adapters.map(\.name).joined(separator: " ")
      case .lost(_, let isTakenOver): isTakenOver ? "taken over" : "lost"
      case .refused(let topic, let kind, let code, let rows): "refused \(topic) \(kind) \(code) \(rows)"
      case .repaired(let topic, let isCleared, let count):
        "repaired \(topic) \(isCleared ? "cleared" : "altered") \(count)"
      case .refusing(let topics, _): "refusing \(topics.joined(separator: " "))"
      case .notGranted(let topics): "not granted \(topics.joined(separator: " "))"
      case .dropped(let board, let samples): "dropped \(board) \(samples)"
      case .slow(let isSlow): isSlow ? "slow" : "quick"
      case .storage(let failure): failure.map { StorageCondition($0).rawValue } ?? "room"
      }
    }
  }
}
