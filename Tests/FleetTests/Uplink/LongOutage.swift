import Dialects
import FleetModel
import VirtualTime

@testable import Fleet
@testable import Storage

/// Four boards with two streams each, and logs, states, events and replies beside, at a gateway without a broker. A
/// round is twenty minutes, and what the outbox may hold is scaled as the rates are.
struct LongOutage: Sendable {
  static let round = Duration.seconds(1_200)
  static let boards = 1...4
  static let streams = ["switch", "light"]
  static let samplesPerBatch = 40

  let rig: UplinkRig
  let disk: ScaledDisk

  init(seed: UInt64, limits: StorageConfiguration) throws {
    let disk = ScaledDisk()
    self.disk = disk
    rig = try UplinkRig(
      seed: seed, brokerRefusal: .unreachable("nobody listens"), configure: { $1 = limits },
      open: { try disk.open(on: $0) })
  }

  static func key(_ board: BoardID, _ stream: String) -> String { "\(board) \(stream)" }

  func batch(
    _ board: Int, _ stream: String, sequence: Int, samples: Int = samplesPerBatch,
    origin: SampleBatch.Origin = .stream
  ) -> SampleBatch {
    var batch = SampleBatch(
      board: .number(board), stream: stream, fields: [.init("pressed", "", .flag)],
      session: .seeded(UInt64(board)), boot: 1, sequence: sequence, gapBefore: 0,
      clock: ClockQuality(source: .arrival, errorMilliseconds: 100), configuration: nil, origin: origin)
    batch.times = (0..<samples).map { rig.world.now + .milliseconds($0) }
    batch.values = Array(repeating: 1, count: samples)
    return batch
  }

  /// What a round brings, and the look at the limits behind it.
  func play(round number: Int) async {
    for board in Self.boards {
      for stream in Self.streams {
        await rig.uplink.deliver([
          .batch(batch(board, stream, sequence: number * Self.samplesPerBatch))
        ])
      }
    }
    if number.isMultiple(of: 3) {
      await rig.publish(number)
      let reason = number.isMultiple(of: 2) ? Availability.Reason.silent : .connected
      for board in Self.boards {
        await rig.uplink.deliver([
          .availability(.number(board), Availability(reason: reason, since: rig.world.now))
        ])
      }
    }
    if number.isMultiple(of: 9) { await putLogsAndReply(number) }
    await rig.pass(Self.round)
    await rig.uplink.enforceLimits(at: rig.world.now)
  }

  /// As the archive of logs and the ledger of commands do: past the uplink.
  private func putLogsAndReply(_ number: Int) async {
    let time = rig.world.now
    let logs = Self.boards.flatMap { board in
      rig.dialect.messages(
        for: .batch(batch(board, "log", sequence: number, samples: 1, origin: .flash))
      ).compactMap { OutboxMessage($0, created: time) }
    }
    let reply = OutboxMessage(
      MQTTMessage(topic: "m/board/\(BoardID.number(1))/reply/led", payload: Array("\(number)".utf8)),
      as: .state, created: time)
    _ = try? await rig.store.outbox.exchange(logs + [reply], forDelivered: [], at: time)
    await rig.uplink.outboxGrew(by: logs.count + 1)
  }

  /// Pages of the database, and those of them that hold something; nothing where it cannot be read.
  var pages: (all: Int, used: Int) {
    get async {
      let pages = (try? await rig.store.read { try SQLiteFile.pages(in: $0) }) ?? (all: 0, deleted: 0)
      return (pages.all, pages.all - pages.deleted)
    }
  }

  /// What waits for the broker, in the order in which it is to leave.
  var backlog: [UInt64] {
    get async {
      let rows = (try? await rig.store.outbox.waiting(limit: 100_000)) ?? []
      return rows.map { UInt64($0.id) }
    }
  }

  /// Deletes what was delivered, as maintenance does once it was kept for long enough.
  func purgeDelivered() async {
    let limit = rig.world.now + .seconds(1)
    while let purged = try? await rig.store.outbox.purgeDelivered(before: limit, maximumSize: .max),
      purged > 0
    {}
  }
}
