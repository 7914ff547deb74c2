import Dialects
import FleetModel
import Storage
import Testing

@testable import Fleet

/// A disk that refuses, judged by what arrives at the broker.
@Suite struct UplinkStorageTests {
  private static let record = "m/board/\(BoardID.number(1))/record/switch"
  private static let gap = "m/board/\(BoardID.number(1))/event/data-gap"
  private static let failures: [StoreFailure] = [.full, .readOnly, .taken("locked"), .low]

  /// The holes in the numbers, and what `gap_before` tells.
  private static func look(at payloads: [String]) -> (holes: Int, told: Int, samples: Int) {
    var (next, holes, told, samples) = (0, 0, 0, 0)
    for payload in payloads {
      guard let document = (try? StrictJSON.parse(Array(payload.utf8), limits: .trusting))?.object,
        let sequence = document["seq"]?.integer, let count = document["count"]?.integer
      else { continue }
      holes += abs(Int(sequence) - next)
      next = Int(sequence + count)
      told += Int(document["gap_before"]?.integer ?? 0)
      samples += Int(count)
    }
    return (holes, told, samples)
  }

  @Test(arguments: failures)
  func `F133 a disk that refuses for a while costs no sample and leaves no hole`(failure: StoreFailure) throws
  {
    let rig = try UplinkRig(seed: 1)
    let payloads = try rig.run { () -> [String] in
      await rig.connected()
      for number in 0..<60 {
        if number == 10 { await rig.store.rehearse(failure) }
        if number == 40 { await rig.store.rehearse(nil) }
        await rig.batch(number * 10, samples: 10)
        await rig.pass(.milliseconds(250))
      }
      await rig.pass(.seconds(30))
      return await rig.broker.payloads(on: Self.record)
    }
    let seen = Self.look(at: payloads)
    #expect(seen == (0, 0, 600))
  }

  @Test(
    arguments: failures)
  func
    `F133 what does not fit into memory is a gap that the next batch and an event tell, with from, to and reason`(
      failure: StoreFailure
    ) throws
  {
    let rig = try UplinkRig(seed: 1)
    let (payloads, gaps, words) = try rig.run { () -> ([String], [String], [String]) in
      await rig.connected()
      await rig.batch(0, samples: 10)
      await rig.pass(.seconds(1))
      await rig.store.rehearse(failure)
      var next = 10
      for _ in 0..<30 {
        await rig.batch(next, samples: 20_000)
        next += 20_000
        await rig.pass(.milliseconds(250))
      }
      await rig.store.rehearse(nil)
      await rig.pass(.seconds(60))
      await rig.batch(next, samples: 10)
      await rig.pass(.seconds(60))
      return (
        await rig.broker.payloads(on: Self.record), await rig.broker.payloads(on: Self.gap),
        await rig.notes.words
      )
    }
    let dropped = rig.counters.value(of: .samplesDropped)
    let seen = Self.look(at: payloads)
    #expect(dropped > 0 && seen.holes == 0 && seen.told == dropped && seen.samples + dropped == 600_020)
    let told = gaps.compactMap { (try? StrictJSON.parse(Array($0.utf8)))?.object }
    #expect(told.reduce(0) { $0 + ($1["count"]?.integer ?? 0) } == Int64(dropped))
    let reason = if case .taken = failure { "storage-locked" } else { "storage-full" }
    #expect(told.allSatisfy { $0["reason"]?.string == reason && $0["from_ms"] != nil && $0["to_ms"] != nil })
    #expect(words.contains("dropped \(BoardID.number(1)) \(dropped)"))
  }

  @Test
  func
    `F297 while neither disk nor broker takes anything, what does not fit into memory is one sum a reason`()
    throws
  {
    let rig = try UplinkRig(seed: 1)
    let gaps = try rig.run { () -> [String] in
      await rig.connected()
      await rig.broker.refuseConnections(because: .unreachable("nobody listens"))
      await rig.broker.drop()
      await rig.store.rehearse(.full)
      var next = 0
      for _ in 0..<30 {
        await rig.batch(next, samples: 20_000)
        next += 20_000
      }
      for _ in 0..<20 {
        await rig.batch(next, samples: 10)
        next += 10
        await rig.pass(.seconds(60))
      }
      await rig.store.rehearse(nil)
      await rig.pass(.seconds(60))
      await rig.broker.refuseConnections(because: nil)
      await rig.connected()
      await rig.pass(.seconds(120))
      return await rig.broker.payloads(on: Self.gap)
    }
    let dropped = rig.counters.value(of: .samplesDropped)
    #expect(dropped > 200 && dropped + rig.counters.value(of: .samplesPublished) == 600_200)
    // The first went before the disk had said why.
    let told = gaps.compactMap { (try? StrictJSON.parse(Array($0.utf8)))?.object }
    #expect(told.map { $0["reason"] } == ["storage-locked", "storage-full"], "\(gaps)")
    #expect(told.compactMap { $0["count"]?.integer }.reduce(0, +) == Int64(dropped), "\(gaps)")
  }

  @Test(
    arguments: [StoreFailure.full, .readOnly, .taken("locked")])
  func
    `F134 replies, state and events go out from memory while the disk refuses, each once, the newest state last`(
      failure: StoreFailure
    ) throws
  {
    let rig = try UplinkRig(seed: 1)
    let (while1, after, states) = try rig.run { () -> ([Int], [Int], [String]) in
      await rig.connected()
      await rig.store.rehearse(failure)
      for number in 0..<30 {
        await rig.publish(number)
        let reason = number == 29 ? Availability.Reason.silent : .advertising
        await rig.uplink.deliver([.availability(.number(1), Availability(reason: reason, since: .at(0)))])
        await rig.pass(.milliseconds(200))
      }
      await rig.pass(.seconds(2))
      let while1 = await rig.published
      await rig.store.rehearse(nil)
      await rig.pass(.seconds(10))
      return (
        while1, await rig.published,
        await rig.broker.payloads(on: "m/board/\(BoardID.number(1))/availability")
      )
    }
    #expect(while1 == Array(0..<30))
    #expect(after == Array(0..<30))
    #expect(states.last?.contains("silent") == true)
    #expect(rig.counters.value(of: .samplesDropped) == 0)
  }

  @Test func `F134 a gateway that starts on a disk that refuses reaches the broker`() throws {
    let rig = try UplinkRig(seed: 1)
    let births = try rig.run { () -> Int in
      await rig.store.rehearse(.readOnly)
      await rig.pass(.seconds(20))
      return await rig.broker.payloads(on: "m/gateway/gw/availability").count
    }
    #expect(births > 0)
  }

  @Test func `F139 a birth number that the disk did not take is known to it later: no smaller one follows`()
    throws
  {
    let rig = try UplinkRig(seed: 1)
    let (births, next) = try rig.run { () -> ([String], Int?) in
      await rig.store.rehearse(.readOnly)
      await rig.pass(.seconds(20))
      let births = await rig.broker.payloads(on: "m/gateway/gw/availability")
      await rig.store.rehearse(nil)
      await rig.publish(1)
      await rig.pass(.seconds(10))
      return (births, try? await rig.store.births.next())
    }
    let birth = try #require(
      births.last.flatMap { (try? StrictJSON.parse(Array($0.utf8)))?.object?["birth"]?.integer })
    #expect(birth > 1_000_000 && next.map(Int64.init) == birth + 1)
  }

  /// An event that went out without the disk leaves its line for the history to be written; a state leaves nothing.
  @Test(
    arguments: [
      FleetEvent.happened(UplinkRig.event(1)),
      .availability(.number(1), Availability(reason: .silent, since: .at(0))),
    ])
  func `F134 a full disk stays full while nothing is there to write, and is well again although nothing is`(
    event: FleetEvent
  ) throws {
    let rig = try UplinkRig(seed: 1)
    let (meanwhile, after) = try rig.run { () -> ([String], [String]) in
      await rig.connected()
      await rig.store.rehearse(.full)
      await rig.uplink.deliver([event])
      await rig.pass(.seconds(60))
      let meanwhile = await rig.notes.conditions
      await rig.store.rehearse(nil)
      await rig.pass(.seconds(30))
      return (meanwhile, await rig.notes.conditions)
    }
    #expect(meanwhile == ["full"])
    #expect(after == ["full", "room"])
  }

  @Test
  func
    `F135 a lock that is gone is not told of a disk that has too little room, and room is told although nothing is stored`()
    throws
  {
    let rig = try UplinkRig(seed: 1)
    let (meanwhile, after) = try rig.run { () -> ([String], [String]) in
      await rig.connected()
      await rig.store.rehearse(.taken("locked"))
      await rig.publish(1)
      await rig.pass(.seconds(10))
      await rig.store.rehearse(.low)
      await rig.pass(.seconds(10))
      let meanwhile = await rig.notes.conditions
      await rig.store.rehearse(nil)
      await rig.pass(.seconds(30))
      return (meanwhile, await rig.notes.conditions)
    }
    #expect(meanwhile == ["locked", "low"])
    #expect(after == ["locked", "low", "room"])
  }
}
