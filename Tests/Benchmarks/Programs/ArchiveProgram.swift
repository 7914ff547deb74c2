import Dialects
import EventLoops
import Fleet
import FleetModel
import Glibc
import Logging
import Storage

/// A download without a radio: pages into the archive with `synchronous=FULL`, decoded, dated and put into the outbox
/// as batches; and what was archived written as CSV.
struct ArchiveProgram {
  let directory: String
  private static let samples = 512_000
  private static let samplesPerPage = 256
  private static let start = Timestamp(milliseconds: 1_763_671_000_000)

  /// Processor time per entry, the durable commits included.
  func archive() async throws {
    let loop = try EventLoop(name: "disk")
    let store = try Store(directory: directory, executor: loop)
    let session = try await begin(store)
    let publisher = LogPublisher(
      store: store, dialect: PlainDialect(topics: TopicTree(base: "bench", gateway: "gw")),
      format: BenchmarkLog.format, timekeeper: HostTimekeeper(wakingOn: loop), counters: Counters(),
      log: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }, seed: 1, grew: {})
    var pages: [[UInt8]] = []
    for first in stride(from: 0, to: Self.samples, by: Self.samplesPerPage) {
      pages.append(BenchmarkLog.entries(Self.samplesPerPage, from: first))
    }
    try await store.logs.beginReadOut(of: session.id, expecting: 2 * Self.samples)
    let bill = Bill()
    for page in pages {
      _ = try await store.logs.append(
        page, endsPage: true, to: session.id, entrySize: BenchmarkLog.entrySize, at: Self.start)
    }
    let stored = bill.used
    _ = try await store.logs.endReadOut(of: session.id, isFinished: true, received: 2 * Self.samples)
    while try await publisher.publishAll() {
      // As a broker that takes everything.
      let rows = try await store.outbox.waiting(limit: 1_000)
      _ = try await store.outbox.exchange([], forDelivered: rows.map(\.id), at: Self.start)
    }
    let entries = Double(2 * Self.samples)
    Bill.report([
      "entries": entries, "cpu_s": bill.used, "wall_s": bill.wall, "stored_cpu_s": stored,
      "entries_per_cpu_s": entries / bill.used,
    ])
    try await store.close()
  }

  /// Writes the archive that `archive` made to `output`.
  func export(to output: String) throws {
    guard let reader = try ArchiveReader(directory: directory) else { return }
    let sessions = try reader.sessions()
    let file = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    let bill = Bill()
    var samples = 0
    var rows = SampleRows(.csv, fields: sessions.flatMap(\.streams).flatMap(\.fields))
    rows.header()
    let decoding = LogDecoding(reader: reader, format: BenchmarkLog.format)
    for session in sessions {
      _ = try decoding.read(session) { batches, _ in
        for batch in batches {
          rows.add(batch, name: nil, gateway: "")
          samples += batch.count
        }
        let bytes = rows.take()
        _ = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      }
    }
    Bill.report(["samples": Double(samples), "cpu_s": bill.used, "resident": Double(Bill.resident)])
  }

  private func begin(_ store: Store) async throws -> LogSession {
    var random = SeededGenerator(seed: 1)
    let session = LogSession(
      id: ULID(at: Self.start, using: &random), board: SocketRadio.board(0), started: Self.start,
      streams: [BenchmarkLog.stream], boot: 1, resetID: 5, tick: 0)
    try await store.logs.begin(session)
    for second in [0, Int64(Self.samples / 100 + 1)] {
      let tick = UInt32(second) * 32_768 / 48
      let reading = ClockReading(
        clock: BoardTick(resetID: 5, tick: tick), time: Self.start + .seconds(second),
        error: .milliseconds(20))
      try await store.logs.add(ClockAnchor(reading, boot: 1, isHostTimeKnown: true), of: session.board)
    }
    return session
  }
}
