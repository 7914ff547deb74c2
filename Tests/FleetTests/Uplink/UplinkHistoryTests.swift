import Dialects
import FleetModel
import Storage
import Testing

@testable import Fleet

/// The history holds what was published, whatever the disk does meanwhile.
@Suite struct UplinkHistoryTests {
  private static let topic = "m/gateway/gw/event/process"

  private static func texts(_ store: Store) async -> [String] {
    let entries = (try? await store.history.latest(limit: 1_000).entries) ?? []
    return entries.map { String(decoding: $0.document, as: UTF8.self) }
  }

  @Test func `F216 what the broker got is in the history, byte for byte and in the same order`() throws {
    let rig = try UplinkRig(seed: 1)
    let (published, kept) = try rig.run { () -> ([String], [String]) in
      await rig.connected()
      for number in 0..<20 {
        await rig.publish(number)
        if number % 3 == 0 { await rig.batch(number) }
        if number % 5 == 0 { await rig.pass(.milliseconds(300)) }
      }
      await rig.pass(.seconds(10))
      return (await rig.broker.payloads(on: Self.topic), await Self.texts(rig.store))
    }
    #expect(published.count == 20 && kept == published)
  }

  @Test(arguments: [StoreFailure.full, .readOnly, .taken("locked")])
  func `F216 what went out while the disk refused is in the history once it takes again, and once`(
    failure: StoreFailure
  ) throws {
    let rig = try UplinkRig(seed: 2)
    let (published, during, after) = try rig.run { () -> (Int, Int, [String]) in
      await rig.connected()
      await rig.publish(0)
      await rig.pass(.seconds(2))
      await rig.store.rehearse(failure)
      for number in 1..<10 { await rig.publish(number) }
      await rig.pass(.seconds(30))
      let published = await rig.published.count
      let during = await Self.texts(rig.store).count
      await rig.store.rehearse(nil)
      await rig.pass(.seconds(60))
      return (published, during, await Self.texts(rig.store))
    }
    #expect(published == 10 && during == 1)
    #expect(after.count == 10 && Set(after).count == 10)
  }

  @Test func `a replay is no second event`() throws {
    let rig = try UplinkRig(seed: 3)
    let count = try rig.run { () -> Int in
      await rig.connected()
      await rig.publish(1)
      await rig.pass(.seconds(2))
      _ = try? await rig.uplink.replay(
        ReplayRequest(from: Timestamp(milliseconds: 0), lanes: [.event]), progress: { _ in })
      await rig.pass(.seconds(10))
      return await Self.texts(rig.store).count
    }
    #expect(count == 1)
  }
}
