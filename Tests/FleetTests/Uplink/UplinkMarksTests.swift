import Dialects
import FleetModel
import Storage
import Testing
import VirtualTime

@testable import Fleet

/// Where streams stand, as a gateway that is killed will find it.
@Suite struct UplinkMarksTests {
  private static let began = OpenStream(
    board: .number(1), stream: "switch", session: .seeded(1), last: .at(0))

  private static let gaps = "m/board/\(BoardID.number(1))/event/data-gap"

  private static func known(to rig: UplinkRig) async -> [Timestamp] {
    (try? await rig.store.boards.memories()[.number(1)]?.cutOff.map(\.last)) ?? []
  }

  @Test func `F136 a stream stands where its last batch on the disk ends, and its end waits for the others`()
    throws
  {
    let rig = try UplinkRig(seed: 1)
    let known = try rig.run { () -> [[Timestamp]] in
      var known: [[Timestamp]] = []
      await rig.connected()
      await rig.uplink.deliver([.stream(.began(Self.began))])
      await rig.pass(.seconds(1))
      known.append(await Self.known(to: rig))
      await rig.batch(0, samples: 5)
      await rig.pass(.seconds(1))
      known.append(await Self.known(to: rig))
      await rig.store.rehearse(.low)
      await rig.batch(5, samples: 10)
      await rig.uplink.deliver([.stream(.ended(.seeded(1)))])
      await rig.pass(.seconds(5))
      known.append(await Self.known(to: rig))
      await rig.store.rehearse(nil)
      await rig.pass(.seconds(5))
      known.append(await Self.known(to: rig))
      return known
    }
    #expect(known == [[.at(0)], [.at(4)], [.at(4)], []])
  }

  @Test func `F136 what a disk does not take is noted as soon as it does`() throws {
    let rig = try UplinkRig(seed: 1)
    let known = try rig.run { () -> [[Timestamp]] in
      await rig.connected()
      await rig.store.rehearse(.taken("locked"))
      await rig.uplink.deliver([.stream(.began(Self.began))])
      await rig.pass(.seconds(5))
      let before = await Self.known(to: rig)
      await rig.store.rehearse(nil)
      await rig.pass(.seconds(5))
      return [before, await Self.known(to: rig)]
    }
    #expect(known == [[], [.at(0)]])
  }

  @Test(
    arguments: [true, false])
  func `F136 a gateway that ends takes to the disk what waits in memory, also without a broker`(
    hasBroker: Bool
  ) throws {
    let rig = try UplinkRig(seed: 1)
    let (known, waiting) = try rig.run { () -> ([Timestamp], Int) in
      await rig.connected()
      if !hasBroker {
        await rig.broker.refuseConnections(because: .unreachable("nobody listens"))
        await rig.broker.drop()
        await rig.pass(.seconds(1))
      }
      await rig.uplink.deliver([.stream(.began(Self.began))])
      await rig.batch(0, samples: 5)
      await rig.uplink.deliver([.stream(.ended(.seeded(1)))])
      await rig.uplink.stop(within: .seconds(8))
      return (await Self.known(to: rig), await rig.waiting)
    }
    #expect(known == [] && waiting == (hasBroker ? 0 : 1))
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func
    `F136 what tells a hole goes to the disk before it goes out, with the end of the session that it closes`(
      seed: UInt64
    ) throws
  {
    let (rig, disk) = try UplinkRig.withDisk(seed: seed)
    let gap = EventMessage(
      .dataGap, "stream", subject: .board(.number(1)), fields: ["stream": "switch"], id: .seeded(7),
      time: .at(9))
    let begun = OpenStream(board: .number(1), stream: "switch", session: .seeded(2), last: .at(9))
    let (early, late, known) = try rig.run { () -> ([Int], Int, [Timestamp]) in
      await rig.connected()
      await rig.uplink.deliver([.stream(.began(Self.began))])
      await rig.pass(.seconds(1))
      disk.halt()
      await rig.publish(1)
      await rig.pass(.milliseconds(1))
      await rig.uplink.deliver([.happened(gap), .stream(.began(begun)), .stream(.ended(.seeded(1)))])
      await rig.pass(.seconds(2))
      await rig.publish(2)
      await rig.pass(.milliseconds(1))
      let early = [await rig.published.count, await rig.broker.payloads(on: Self.gaps).count]
      disk.goOn()
      await rig.pass(.seconds(2))
      return (early, await rig.broker.payloads(on: Self.gaps).count, await Self.known(to: rig))
    }
    #expect(early == [2, 0] && late == 1 && known == [.at(9)], "seed \(seed)")
  }
}
