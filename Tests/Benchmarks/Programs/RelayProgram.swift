import Dialects
import EventLoops
import Fleet
import FleetModel
import Logging
import Mosquitto
import Storage

/// Record batches through the product's uplink as fast as it goes: written as JSON, committed with `synchronous=FULL`,
/// published with QoS 1, a hundred under way, and marked on the disk once the broker has them.
struct RelayProgram {
  let port: UInt16
  let directory: String
  let batches: Int
  private static let boards = 100
  private static let samplesPerBatch = 25
  /// Batches that may be between their stream and the mark of their arrival: less than would wait in memory at most.
  private static let ahead = 5_000

  func run() async throws {
    let (brokerLoop, diskLoop) = (try EventLoop(name: "broker"), try EventLoop(name: "disk"))
    let timekeeper = HostTimekeeper(wakingOn: brokerLoop)
    let store = try Store(directory: directory, executor: diskLoop)
    let broker = MosquittoBroker(
      MosquittoConfiguration(host: "127.0.0.1", port: port, clientID: "relay", sessionEnd: .withConnection),
      on: brokerLoop)
    let (connections, connection) = AsyncStream<Void>.makeStream()
    let counters = Counters()
    let dialect = PlainDialect(topics: TopicTree(base: "bench", gateway: "bench"))
    let uplink = Uplink(
      broker: broker, dialect: dialect, store: store, timekeeper: timekeeper, counters: counters,
      configuration: UplinkConfiguration(), limits: StorageConfiguration(), gateway: "bench",
      discovery: HomeAssistantDiscovery(topics: dialect.topics, version: "benchmark", configuration: .init()),
      seed: 1, log: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() },
      handlers: Uplink.Handlers(
        command: { _, _, _ in }, retainedState: { ([], nil) },
        connection: { if case .connected = $0 { connection.yield() } }))
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await uplink.run() }
      for await _ in connections { break }
      let bill = Bill()
      let bytes = try await relay(through: uplink, counting: counters, by: timekeeper)
      Bill.report([
        "messages": Double(batches), "cpu_s": bill.used, "wall_s": bill.wall, "bytes": Double(bytes),
        "dropped": Double(counters.value(of: .samplesDropped)),
      ])
      group.cancelAll()
    }
  }

  /// Returns how many bytes a message has.
  private func relay(
    through uplink: Uplink, counting counters: Counters, by timekeeper: HostTimekeeper
  ) async throws -> Int {
    var random = SeededGenerator(seed: 1)
    let now = timekeeper.now
    var streams = (0..<Self.boards).map { number in
      SampleBatch(
        board: SocketRadio.board(number), stream: "acceleration",
        fields: StreamCatalogue.find("acceleration")?.0.fields ?? [],
        session: ULID(at: now, using: &random), boot: 1, sequence: 0, gapBefore: 0,
        clock: ClockQuality(source: .arrival, errorMilliseconds: 100), configuration: nil)
    }
    for index in 0..<Self.samplesPerBatch {
      for number in streams.indices {
        streams[number].times.append(now + .milliseconds(10 * index))
        for _ in 0..<3 {
          streams[number].values.append(Double(Int.random(in: -8192...8191, using: &random)) / 8192)
        }
      }
    }
    var made = 0
    while counters.value(of: .samplesPublished) < batches * Self.samplesPerBatch {
      let arrived = counters.value(of: .samplesPublished) / Self.samplesPerBatch
      guard made < batches, made - arrived < Self.ahead else {
        try await timekeeper.sleep(for: .milliseconds(1))
        continue
      }
      await uplink.deliver(streams.map { .batch($0) })
      for number in streams.indices { streams[number].sequence += Self.samplesPerBatch }
      made += Self.boards
    }
    return SampleCodec.record(streams[0], gateway: "bench").count
  }
}
