import Dialects
import FleetModel
import Support
import Testing
import VirtualTime

@testable import Fleet
@testable import Storage

/// Three virtual days without a broker, and what comes behind them, on a real database (fault F297).
@Suite struct LongOutageTests {
  private static let rounds = 216
  private static let drainPerSecond = 20
  /// Of the write-ahead log on a disk of that size, which may be there twice over for a moment.
  private static let logs = 2 * ScaledDisk.size / 32

  struct Limits: Sendable {
    var size: Int64
    var age: Duration
    /// Bytes that the outbox may come to hold.
    var most: Int
  }

  private static let limits = [
    Limits(size: 400_000, age: .seconds(7 * 86_400), most: 400_000),
    // Ten minutes less than twelve hours: no batch is just as old while the broker comes back.
    Limits(size: 100_000_000, age: .seconds(42_600), most: 900_000),
  ]

  private struct Outcome: Sendable {
    var empty = (all: 0, used: 0)
    var waiting: [Int] = []
    var disk: [Int] = []
    var lastDay = 0
    var backlog: [UInt64] = []
    var arrived: [UInt64] = []
    var perSecond: [Int] = []
    var lateLive = 0
    var taken: [String: Int] = [:]
    var account = OutageAccount(of: [])
    var left = OutboxStatistics(waiting: .init(), refused: .init(), delivered: .init())
    var full = (all: 0, used: 0)
    var purged = (all: 0, used: 0)
    var again = (all: 0, used: 0)
  }

  private func playThrough(_ limits: Limits) throws -> (LongOutage, Outcome) {
    var storage = StorageConfiguration()
    (storage.outboxMaximumSize, storage.outboxMaximumAge) = (limits.size, limits.age)
    storage.drainPerSecond = Self.drainPerSecond
    let outage = try LongOutage(seed: 1, limits: storage)
    let outcome = try outage.rig.run(atMost: .seconds(6 * 86_400)) { () -> Outcome in
      var outcome = Outcome()
      await outage.rig.store.keepFree(200_000_000)
      await outage.rig.notes.set([], boards: Set(LongOutage.boards.map { BoardID.number($0) }))
      outcome.empty = await outage.pages
      for round in 0..<Self.rounds {
        await outage.play(round: round)
        outcome.waiting.append((try? await outage.rig.store.outbox.statistics().waiting.bytes) ?? -1)
        outcome.disk.append(outage.disk.used)
      }
      for board in LongOutage.boards {
        for stream in LongOutage.streams {
          outcome.taken[LongOutage.key(.number(board), stream)] = Self.rounds * LongOutage.samplesPerBatch
        }
      }
      outcome.backlog = await outage.backlog
      await drain(outage, &outcome)
      outcome.left = (try? await outage.rig.store.outbox.statistics()) ?? outcome.left
      outcome.full = await outage.pages
      await outage.purgeDelivered()
      outcome.purged = await outage.pages
      await repeatOutage(outage)
      outcome.again = await outage.pages
      return outcome
    }
    return (outage, outcome)
  }

  /// The broker is back: each second brings a live sample and a batch more while what waited leaves.
  private func drain(_ outage: LongOutage, _ outcome: inout Outcome) async {
    let (rig, live) = (outage.rig, "m/board/\(BoardID.number(1))/live/switch")
    await rig.broker.refuseConnections(because: nil)
    _ = await rig.broker.message { $0.topic == "m/gateway/gw/availability" && !$0.payload.isEmpty }
    await rig.uplink.enforceLimits(at: rig.world.now)
    let expected = Set(outcome.backlog)
    var sequence = Self.rounds * LongOutage.samplesPerBatch
    for second in 1...300 {
      let before = await rig.broker.arrived.count
      await rig.uplink.deliver([
        .live(
          LiveSample(
            board: .number(1), stream: "switch", fields: [.init("pressed", "", .flag)], time: rig.world.now,
            sequence: sequence, values: [1])),
        .batch(outage.batch(1, "switch", sequence: sequence, samples: 1)),
      ])
      sequence += 1
      outcome.taken[LongOutage.key(.number(1), "switch"), default: 0] += 1
      await rig.pass(.seconds(1))
      if second.isMultiple(of: 30) { await rig.uplink.enforceLimits(at: rig.world.now) }
      if await rig.broker.payloads(on: live).count != second { outcome.lateLive += 1 }
      let arrived = await rig.broker.arrived
      outcome.perSecond.append(arrived.count - before)
      if Set(arrived.map(\.token)).isSuperset(of: expected) { break }
    }
    await rig.pass(.seconds(60))
    let arrived = await rig.broker.arrived
    outcome.arrived = arrived.filter {
      $0.message.qualityOfService != .atMostOnce && expected.contains($0.token)
    }
    .map(\.token)
    outcome.account = OutageAccount(of: arrived.map(\.message))
  }

  /// A day without a broker once more.
  private func repeatOutage(_ outage: LongOutage) async {
    await outage.rig.broker.refuseConnections(because: .unreachable("nobody listens"))
    await outage.rig.broker.drop()
    for round in 0..<72 { await outage.play(round: Self.rounds + 10 + round) }
  }

  @Test(arguments: limits)
  func
    `F297 three days without a broker: bounded disk, the oldest records alone go, exact gaps, an orderly drain`(
      limits: Limits
    ) throws
  {
    let (outage, outcome) = try playThrough(limits)
    let page = DiskRoom.pageSize

    // Room: what waits, and the files that it lies in.
    #expect(outcome.waiting.allSatisfy { (1...limits.most).contains($0) })
    #expect(Double(outcome.waiting.last ?? 0) > 0.9 * Double(outcome.waiting.max() ?? 1), "it stays full")
    let bound = outcome.empty.all * page + limits.most * 3 / 2 + Self.logs
    #expect(outcome.disk.allSatisfy { $0 <= bound }, "\(outcome.disk.max() ?? 0) of \(bound)")

    // Sacrifice: of the record lane the oldest, of all else nothing, and what went is accounted for to the sample.
    let account = outcome.account
    #expect(account.all == outcome.taken)
    #expect(account.missing.count == 8 && account.missing.values.allSatisfy { $0 > 0 })
    #expect(
      account.gaps == 8 && account.reasons == ["storage-full"], "one for each stream, however long it lasted")
    #expect(outage.rig.counters.value(of: .samplesDropped) >= account.missing.values.reduce(0, +))
    for (key, sequences) in account.sequences {
      let first = account.missing[key] ?? -1
      let whole = stride(
        from: first, to: Self.rounds * LongOutage.samplesPerBatch, by: LongOutage.samplesPerBatch)
      #expect(Array(sequences.prefix(Array(whole).count)) == Array(whole), "\(key)")
    }
    let cuts = Set(account.missing.values)
    #expect((cuts.max() ?? 0) - (cuts.min() ?? 0) <= LongOutage.samplesPerBatch, "the oldest of all streams")
    #expect(account.events == 72 && account.logs == 96 && account.replies == 24)

    // Drain: by priority, each once, at the configured pace, and nobody live waits for it.
    #expect(outcome.arrived == outcome.backlog)
    #expect(outcome.lateLive == 0)
    #expect(
      outcome.perSecond.dropFirst(2).allSatisfy { $0 <= Self.drainPerSecond + 4 }, "\(outcome.perSecond)")
    #expect(outcome.perSecond.count >= outcome.backlog.count / Self.drainPerSecond - 2)
    #expect(outcome.perSecond.count <= outcome.backlog.count / Self.drainPerSecond + 5)

    // Behind it: nothing waits, the room is free, and the next outage takes that before the file grows.
    #expect(outcome.left.waiting.messages == 0 && outcome.left.refused.messages == 0)
    #expect(outcome.purged.used * page < outcome.empty.used * page + 200_000)
    #expect(outcome.again.all * 10 <= outcome.full.all * 11)
  }
}
