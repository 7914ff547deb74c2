import EventLoops
import FleetModel
import Storage

/// Messages of 200 bytes into the outbox and out of it again, batch by batch, each a transaction with
/// `synchronous=FULL`: what the broker has taken is deleted together with what comes in.
struct OutboxProgram {
  let directory: String
  private static let messages = 100_000
  private static let batch = 200
  private static let start = Timestamp(milliseconds: 1_763_671_000_000)

  func run() async throws {
    let store = try Store(directory: directory, executor: try EventLoop(name: "disk"))
    let state = try await pass(.state, through: store) { _ in }
    let records = try await pass(.record, through: store) { store in
      // Records stay for a replay until they are purged.
      _ = try await store.outbox.purgeDelivered(before: Self.start, maximumSize: 0, batch: Self.batch)
    }
    Bill.report([
      "messages_per_s": Double(Self.messages) / state.wall, "cpu_us": state.cpu / Double(Self.messages) * 1e6,
      "records_per_s": Double(Self.messages) / records.wall,
      "record_cpu_us": records.cpu / Double(Self.messages) * 1e6,
      "left": Double(try await store.outbox.statistics().waiting.messages),
    ])
    try await store.close()
  }

  /// Returns seconds of the clock and of the processor.
  private func pass(
    _ deliveryClass: DeliveryClass, through store: Store, cleaning: (Store) async throws -> Void
  ) async throws -> (wall: Double, cpu: Double) {
    let payload = [UInt8](repeating: UInt8(ascii: "x"), count: 200)
    let messages = (0..<Self.batch).map {
      OutboxMessage(
        MQTTMessage(topic: "bench/\($0 % 100)", payload: payload), as: deliveryClass, created: Self.start)
    }
    let bill = Bill()
    var waiting: [OutboxRow.ID] = []
    for _ in 0..<Self.messages / Self.batch {
      waiting = try await store.outbox.exchange(messages, forDelivered: waiting, at: Self.start).rows
      try await cleaning(store)
    }
    _ = try await store.outbox.exchange([], forDelivered: waiting, at: Self.start)
    try await cleaning(store)
    return (bill.wall, bill.used)
  }
}
