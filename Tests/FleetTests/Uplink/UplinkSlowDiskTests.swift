import Dialects
import FleetModel
import Storage
import Testing
import VirtualTime

@testable import Fleet

/// A disk that takes its time, and how much one write to it carries.
@Suite struct UplinkSlowDiskTests {
  private static let events = "m/gateway/gw/event/process"
  private static let record = "m/board/\(BoardID.number(1))/record/switch"

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `F95 while each commit takes five seconds events wait for none, and everything arrives in the end`(
    seed: UInt64
  ) throws {
    let (rig, disk) = try UplinkRig.withDisk(seed: seed)
    let (late, told, batches, left) = try rig.run { () -> ([Int], Set<Int>, Int, Int) in
      await rig.connected()
      var late: [Int] = []
      for number in 1...60 {
        if number % 6 == 1 { disk.halt() }
        if number % 6 == 0 { disk.goOn() }
        await rig.publish(number)
        await rig.batch(number)
        await rig.pass(.seconds(1))
        // Two seconds: one until a commit counts as slow, and one until something else is said.
        if number > 2, !(await rig.published.contains(number - 2)) { late.append(number - 2) }
      }
      await rig.pass(.seconds(60))
      return (
        late, Set(await rig.published), Set(await rig.broker.payloads(on: Self.record)).count,
        await rig.waiting
      )
    }
    #expect(late.isEmpty, "seed \(seed)")
    #expect(told == Set(1...60) && batches == 60 && left == 0, "seed \(seed)")
  }

  @Test(arguments: 0...4, 1...3 as ClosedRange<UInt64>)
  func `F95 an event whose commit takes long goes out meanwhile, though nothing else happens, and once`(
    jobs: Int, seed: UInt64
  ) throws {
    let (rig, disk) = try UplinkRig.withDisk(seed: seed)
    let (meanwhile, last, waiting, kept) = try rig.run { () -> ([Int], [Int], Int, Int) in
      await rig.connected()
      // Where the commit stands when the disk stops: before it looks for room, before it writes, or behind all that.
      disk.halt(after: jobs)
      await rig.publish(1)
      await rig.pass(.milliseconds(1_100))
      let meanwhile = await rig.published
      await rig.pass(.seconds(5))
      disk.goOn()
      await rig.pass(.seconds(2))
      let kept = (try? await rig.store.history.latest(limit: 10).entries.count) ?? 0
      return (meanwhile, await rig.published, await rig.waiting, kept)
    }
    #expect(meanwhile == [1] && last == [1] && waiting == 0 && kept == 1, "seed \(seed)")
  }

  @Test(arguments: 0...4)
  func `F95 what the broker lost or refused while its commit took long goes again from the disk`(jobs: Int)
    throws
  {
    let (rig, disk) = try UplinkRig.withDisk(seed: 1)
    let (published, waiting, refused) = try rig.run { () -> ([Int], Int, Int) in
      await rig.connected()
      await rig.broker.judge { message in
        guard message.topic == Self.events else { return .accept }
        let isFirst = String(decoding: message.payload, as: UTF8.self).contains("\"1\"")
        return isFirst ? .lose : .refuse(.refused(0x97, "quota exceeded"))
      }
      disk.halt(after: jobs)
      await rig.publish(1)
      await rig.publish(2)
      await rig.pass(.seconds(3))
      await rig.broker.judge { _ in .accept }
      await rig.broker.drop()
      disk.goOn()
      await rig.pass(.seconds(60))
      await rig.uplink.retryRefused()
      await rig.pass(.seconds(5))
      return (await rig.published, await rig.waiting, await rig.refused)
    }
    #expect(Set(published) == [1, 2] && waiting == 0 && refused == 0)
  }

  @Test func `F95 what lies on the disk goes out while the disk is busy`() throws {
    let (rig, disk) = try UplinkRig.withDisk(seed: 1, receiveMaximum: 4)
    let (first, meanwhile, last) = try rig.run { () -> ([Int], [Int], [Int]) in
      await rig.connected()
      await rig.broker.judge { $0.topic == Self.events ? .lose : .accept }
      for number in 1...8 { await rig.publish(number) }
      await rig.pass(.seconds(2))
      let first = await rig.published
      disk.halt()
      await rig.publish(9)
      await rig.pass(.milliseconds(100))
      await rig.broker.acknowledgeAll(on: Self.events)
      await rig.pass(.milliseconds(100))
      let meanwhile = await rig.published
      disk.goOn()
      await rig.broker.acknowledgeAll(on: Self.events)
      await rig.pass(.seconds(2))
      return (first, meanwhile, await rig.published)
    }
    #expect(first == Array(1...4) && meanwhile == Array(1...8) && last == Array(1...9))
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `F60 a broker that takes its time for each message gets them in order, once`(seed: UInt64) throws {
    let rig = try UplinkRig(seed: seed, receiveMaximum: 4)
    let told = try rig.run { () -> [Int] in
      await rig.connected()
      await rig.broker.pause { await rig.pass(.milliseconds(3)) }
      for number in 1...40 { await rig.publish(number) }
      await rig.pass(.seconds(60))
      return await rig.published
    }
    #expect(told == Array(1...40), "seed \(seed)")
  }

  @Test func `F60 records that are many do not wait to be more`() throws {
    let rig = try UplinkRig(seed: 1, receiveMaximum: 1_000)
    let counts = try rig.run { () -> [Int] in
      await rig.connected()
      var counts: [Int] = []
      for numbers in [1...400, 401...1_000] {
        let before = await rig.broker.payloads(on: Self.record).count
        for number in numbers { await rig.batch(number) }
        await rig.pass(.milliseconds(100))
        counts.append(await rig.broker.payloads(on: Self.record).count - before)
        await rig.pass(.seconds(10))
      }
      return counts
    }
    #expect(counts[0] == 0 && counts[1] >= 500)
  }
}
