import Dialects
import FleetModel
import Storage
import Support
import Testing
import VirtualTime

@testable import Fleet

/// What others do to this gateway's retained documents while it is connected (faults F68 and F260).
@Suite struct RetainedRepairTests {
  private static let topic = "m/board/\(BoardID.number(1))/availability"

  private func availability(of board: BoardID, _ reason: Availability.Reason) -> FleetEvent {
    .availability(board, Availability(reason: reason, since: .at(0)))
  }

  /// A gateway that has published what it has to say of one board.
  private func said(_ rig: UplinkRig) async {
    let event = availability(of: .number(1), .connected)
    await rig.notes.set([event], boards: [.number(1)])
    await rig.connected()
    await rig.uplink.deliver([event])
    await rig.pass(.seconds(5))
  }

  private static let changes: [(String, String)] = [
    ("", "cleared"), (#"{"state":"offline","gw":"gw"}"#, "altered"), ("nonsense", "altered"),
  ]

  @Test(arguments: changes)
  func `F260 a document that somebody clears or alters stands again within seconds, and is told once`(
    payload: String, type: String
  ) throws {
    let rig = try UplinkRig(seed: 1)
    let (before, after, count, words) = try rig.run { () -> ([UInt8]?, [UInt8]?, Int, [String]) in
      await said(rig)
      let before = await rig.broker.retained[Self.topic]
      let arrived = await rig.broker.payloads(on: Self.topic).count
      await rig.broker.send(Self.topic, payload, isRetained: true)
      await rig.pass(.seconds(10))
      return (
        before, await rig.broker.retained[Self.topic],
        await rig.broker.payloads(on: Self.topic).count - arrived, await rig.notes.words
      )
    }
    #expect(before != nil && before == after && count == 1)
    #expect(words.last == "repaired \(Self.topic) \(type) 1")
    #expect(rig.counters.value(of: .retainedRepaired) == 1)
  }

  @Test func `F260 what another gateway says of a board is left to it`() throws {
    let rig = try UplinkRig(seed: 1)
    let (stands, words) = try rig.run { () -> (String, [String]) in
      await said(rig)
      await rig.broker.send(Self.topic, #"{"state":"online","gw":"other"}"#, isRetained: true)
      await rig.pass(.seconds(30))
      return (
        String(decoding: await rig.broker.retained[Self.topic] ?? [], as: UTF8.self), await rig.notes.words
      )
    }
    #expect(stands.contains("other"))
    #expect(!words.contains { $0.hasPrefix("repaired") })
  }

  @Test func `F68 what the broker lost is said again, also where the disk could not note that it had it`()
    throws
  {
    let rig = try UplinkRig(seed: 1, brokerRefusal: .unreachable("nobody listens"))
    let (before, after) = try rig.run { () -> ([UInt8]?, [UInt8]?) in
      let event = availability(of: .number(1), .connected)
      await rig.notes.set([event], boards: [.number(1)])
      await rig.uplink.deliver([event])
      await rig.pass(.seconds(2))
      await rig.store.rehearse(.full)
      await rig.broker.refuseConnections(because: nil)
      await rig.connected()
      await rig.pass(.seconds(5))
      let before = await rig.broker.retained[Self.topic]
      await rig.broker.forget()
      await rig.broker.drop()
      await rig.pass(.seconds(30))
      return (before, await rig.broker.retained[Self.topic])
    }
    #expect(before != nil && before == after)
  }

  @Test func `F260 others are heard on behind a question whose a board is, too`() throws {
    let topic = "m/board/\(BoardID.number(1))/info"
    let info = FleetEvent.info(
      BoardInfo(
        board: .number(1), family: "metamotion", name: "One", site: nil, profile: nil, groups: [],
        labels: [:], verbs: [], description: nil, interviewed: nil, changed: .at(0)))
    let rig = try UplinkRig(seed: 1)
    let words = try rig.run { () -> [String] in
      await rig.notes.set([info], boards: [.number(1)])
      await rig.connected()
      await rig.pass(.seconds(5))
      _ = await rig.uplink.isOwnedElsewhere(.number(1))
      await rig.pass(.seconds(5))
      await rig.broker.send(topic, "", isRetained: true)
      await rig.pass(.seconds(10))
      return await rig.notes.words
    }
    #expect(words.filter { $0.hasPrefix("repaired") } == ["repaired \(topic) cleared 1"])
  }

  @Test func `F68 who asks for a look while one goes on gets one behind it`() throws {
    // Over MQTT 3.1.1 nothing else notices what others do.
    let rig = try UplinkRig(seed: 1) { uplink, _ in uplink.protocolChoice = .mqtt311 }
    let (before, after) = try rig.run { () -> ([UInt8]?, [UInt8]?) in
      await said(rig)
      let before = await rig.broker.retained[Self.topic]
      async let first: Void = rig.uplink.lookAtRetained()
      await rig.pass(.milliseconds(500))
      async let second: Void = rig.uplink.lookAtRetained()
      // The first one is over by then, and would be the last where the second had joined it.
      await rig.pass(.milliseconds(700))
      await rig.broker.send(Self.topic, "", isRetained: true)
      await rig.pass(.seconds(5))
      _ = await (first, second)
      return (before, await rig.broker.retained[Self.topic])
    }
    #expect(before != nil && before == after)
  }

  @Test func `F260 others are heard on behind a look at all documents, too`() throws {
    let topic = "m/gateway/gw/health"
    let rig = try UplinkRig(seed: 1)
    let words = try rig.run { () -> [String] in
      await said(rig)
      let health = FleetEvent.health(.at(1), [:], .fine)
      await rig.notes.set([availability(of: .number(1), .connected), health], boards: [.number(1)])
      await rig.uplink.deliver([health])
      await rig.pass(.seconds(5))
      await rig.uplink.lookAtRetained()
      await rig.pass(.seconds(5))
      await rig.broker.send(topic, "", isRetained: true)
      await rig.pass(.seconds(10))
      return await rig.notes.words
    }
    #expect(words.filter { $0.hasPrefix("repaired") } == ["repaired \(topic) cleared 1"])
  }

  @Test func `F260 a document that the gateway may not read keeps it from hearing of no other`() throws {
    let rig = try UplinkRig(seed: 1)
    let words = try rig.run { () -> [String] in
      await rig.broker.refuseSubscriptions(to: ["m/board/\(BoardID.number(0))/availability"])
      let events = [availability(of: .number(0), .connected), availability(of: .number(1), .connected)]
      await rig.notes.set(events, boards: [.number(0), .number(1)])
      await rig.connected()
      await rig.uplink.deliver(events)
      await rig.pass(.seconds(5))
      await rig.broker.send(Self.topic, "", isRetained: true)
      await rig.pass(.seconds(10))
      return await rig.notes.words
    }
    #expect(words.last == "repaired \(Self.topic) cleared 1")
  }

  @Test func `F260 somebody who goes on is not answered blow by blow`() throws {
    let rig = try UplinkRig(seed: 1)
    let count = try rig.run { () -> Int in
      await said(rig)
      let before = await rig.broker.payloads(on: Self.topic).count
      for _ in 0..<1_200 {
        await rig.broker.send(Self.topic, "", isRetained: true)
        await rig.pass(.milliseconds(500))
      }
      return await rig.broker.payloads(on: Self.topic).count - before
    }
    #expect((4...9).contains(count), "within ten minutes: \(count)")
  }

  @Test func `F68 after a new connection nothing is said again that stands there`() throws {
    let rig = try UplinkRig(seed: 1)
    let count = try rig.run { () -> Int in
      await said(rig)
      let health = FleetEvent.health(.at(1), [:], .fine)
      await rig.notes.set([availability(of: .number(1), .connected), health], boards: [.number(1)])
      await rig.uplink.deliver([health])
      await rig.pass(.seconds(5))
      let before = await rig.broker.arrived.filter { $0.message.isRetained }.count
      await rig.broker.drop()
      await rig.pass(.seconds(30))
      return await rig.broker.arrived.filter { $0.message.isRetained }.count - before
    }
    // The birth alone.
    #expect(count == 1)
  }

  /// How long the broker takes for each message decides what is still under way when it is asked what it retains.
  @Test(arguments: [0, 1_000], 1...2 as ClosedRange<UInt64>)
  func `F68 what changed while the broker was away is said once`(milliseconds: Int, seed: UInt64) throws {
    let rig = try UplinkRig(seed: seed)
    let texts = try rig.run { () -> [String] in
      await said(rig)
      await rig.broker.refuseConnections(because: .unreachable("nobody listens"))
      await rig.broker.drop()
      let silent = availability(of: .number(1), .silent)
      await rig.notes.set([silent], boards: [.number(1)])
      await rig.uplink.deliver([silent])
      await rig.pass(.seconds(5))
      let before = await rig.broker.payloads(on: Self.topic).count
      await rig.broker.pause { await rig.pass(.milliseconds(milliseconds)) }
      await rig.broker.refuseConnections(because: nil)
      await rig.pass(.seconds(120))
      return await Array(rig.broker.payloads(on: Self.topic).dropFirst(before))
    }
    #expect(texts.count == 1 && texts.first?.contains("silent") == true, "seed \(seed)")
  }

  @Test func `F260 over MQTT 3.1.1, too, what another gateway says is left to it`() throws {
    let rig = try UplinkRig(seed: 1) { configuration, _ in configuration.protocolChoice = .mqtt311 }
    let (stands, words) = try rig.run { () -> (String, [String]) in
      await said(rig)
      await rig.broker.send(Self.topic, #"{"state":"online","gw":"other"}"#, isRetained: true)
      await rig.pass(.seconds(620))
      return (
        String(decoding: await rig.broker.retained[Self.topic] ?? [], as: UTF8.self), await rig.notes.words
      )
    }
    #expect(stands.contains("other"))
    #expect(!words.contains { $0.hasPrefix("repaired") })
  }

  @Test func `F260 over MQTT 3.1.1 the gateway looks every five minutes`() throws {
    let rig = try UplinkRig(seed: 1) { configuration, _ in configuration.protocolChoice = .mqtt311 }
    let (early, late, words) = try rig.run { () -> (Bool, Bool, [String]) in
      await said(rig)
      await rig.broker.send(Self.topic, "", isRetained: true)
      await rig.pass(.seconds(10))
      let early = await rig.broker.retained[Self.topic] != nil
      await rig.pass(.seconds(300))
      return (early, await rig.broker.retained[Self.topic] != nil, await rig.notes.words)
    }
    #expect(!early && late)
    #expect(words.last == "repaired \(Self.topic) cleared 1")
  }
}
