import Dialects
import FleetModel
import Storage
import Support
import Testing
import VirtualTime

@testable import Fleet

/// Connecting, and staying connected.
@Suite struct UplinkTests {
  private static let availability = "m/gateway/gw/availability"

  @Test(
    arguments: [
      BrokerFailure.unreachable("no such name"), .insecure("certificate"), .notAuthorised("password"),
      .refused(0x99, "strange"), .connectionLost("closed"), .misuse("odd"),
    ])
  func `F61 whatever the reason, it tries for ever, and joins without help when the cause is cured`(
    failure: BrokerFailure
  ) throws {
    let rig = try UplinkRig(seed: 1)
    let (attempts, cured) = try rig.run { () -> (Int, Duration) in
      await rig.broker.refuseConnections(because: failure)
      await rig.pass(.seconds(1_000))
      let attempts = await rig.broker.attempts.count
      await rig.broker.refuseConnections(because: nil)
      let start = rig.world.uptime
      _ = await rig.broker.message { $0.topic == Self.availability }
      return (attempts, rig.world.uptime - start)
    }
    #expect((17...60).contains(attempts), "no hot loop, and no giving up")
    #expect(cured <= .seconds(90))
  }

  @Test(
    arguments: 1...5 as ClosedRange<UInt64>)
  func `birth follows the subscriptions, with the number of its will`(seed: UInt64) throws {
    let rig = try UplinkRig(seed: seed)
    let (birth, will, words) = try rig.run { () -> (String, String, [String]) in
      await rig.connected()
      let will = await rig.broker.attempts.last?.will
      return (
        await rig.broker.payloads(on: Self.availability)[0],
        String(decoding: will?.payload ?? [], as: UTF8.self),
        await rig.notes.words
      )
    }
    #expect(
      birth.contains(#""state":"online","birth":1,"#) && birth.contains(#""reason":"started""#),
      "seed \(seed)")
    #expect(will == #"{"state":"offline","birth":1}"#, "seed \(seed)")
    #expect(words == ["connected 5"], "seed \(seed)")
  }

  @Test func `MQTT contract 1.6: birth grows by one per connection, however many attempts it took`() throws {
    let rig = try UplinkRig(seed: 1, brokerRefusal: .unreachable("nobody listens"))
    let births = try rig.run { () -> [String] in
      await rig.pass(.seconds(300))
      for _ in 1...3 {
        await rig.broker.refuseConnections(because: nil)
        await rig.pass(.seconds(90))
        await rig.broker.refuseConnections(because: .unreachable("nobody listens"))
        await rig.broker.drop()
        await rig.pass(.seconds(300))
      }
      return await rig.broker.payloads(on: Self.availability)
    }
    #expect(births.map { $0.prefix(27) } == (1...3).map { #"{"state":"online","birth":\#($0),"#.prefix(27) })
    #expect(births.map { $0.contains("reconnected") } == [false, true, true])
  }

  @Test func `a broker that does not speak MQTT 5 is spoken to in 3.1.1, if that is allowed`() throws {
    for choice in [UplinkConfiguration.ProtocolChoice.automatic, .mqtt5, .mqtt311] {
      let rig = try UplinkRig(seed: 1, brokerRefusal: .unsupportedProtocol) { configuration, _ in
        configuration.protocolChoice = choice
      }
      let versions = try rig.run { () -> [BrokerConnection.ProtocolVersion] in
        await rig.pass(.seconds(5))
        return await rig.broker.attempts.map(\.version)
      }
      switch choice {
      case .automatic: #expect(versions.first == .mqtt5 && Set(versions.dropFirst()) == [.mqtt311])
      case .mqtt5: #expect(Set(versions) == [.mqtt5])
      case .mqtt311: #expect(Set(versions) == [.mqtt311])
      }
    }
  }

  @Test func `F70 taken over by another client of our name: 60 s hold, no ping-pong`() throws {
    let rig = try UplinkRig(seed: 1)
    let (early, later, words) = try rig.run { () -> (Int, Int, [String]) in
      await rig.connected()
      await rig.broker.drop(because: .sessionTakenOver)
      await rig.pass(.seconds(59))
      let early = await rig.broker.attempts.count
      await rig.pass(.seconds(5))
      return (early, await rig.broker.attempts.count, await rig.notes.words)
    }
    #expect(early == 1 && later == 2)
    #expect(words == ["connected 5", "taken over", "connected 5 again"])
  }

  @Test func `F70 a take-over before the first words are said is told, too`() throws {
    let rig = try UplinkRig(seed: 1)
    let (attempts, words) = try rig.run { () -> (Int, [String]) in
      await rig.broker.endSubscribers(because: .sessionTakenOver)
      await rig.pass(.seconds(50))
      return (await rig.broker.attempts.count, await rig.notes.words)
    }
    #expect(attempts == 1 && words == ["taken over"])
  }

  @Test
  func `F70 where the broker does not say who took our name, it is found out, said once, and no ping-pong`()
    throws
  {
    let rig = try UplinkRig(seed: 1)
    let (attempts, words) = try rig.run { () -> (Int, [String]) in
      await rig.connected()
      // The other one comes back within two seconds, whatever we do.
      for _ in 1...300 {
        await rig.pass(.seconds(2))
        await rig.broker.drop(because: .closedByBroker)
      }
      return (await rig.broker.attempts.count, await rig.notes.words)
    }
    #expect((8...14).contains(attempts), "in ten minutes: \(attempts)")
    #expect(words.filter { $0 == "taken over" }.count == 1)
    #expect(words.firstIndex(of: "taken over") == words.firstIndex(of: "connected 5").map { $0 + 6 })
  }

  @Test func `F250 connections that are let in and end at once are few, and one that works is soon back`()
    throws
  {
    let rig = try UplinkRig(seed: 1)
    let (attempts, back) = try rig.run { () -> (Int, Duration) in
      await rig.connected()
      for _ in 1...40 {
        await rig.broker.drop()
        await rig.pass(.seconds(1))
      }
      let attempts = await rig.broker.attempts.count
      while await !rig.broker.isConnected { await rig.pass(.seconds(1)) }
      await rig.pass(.seconds(70))
      await rig.broker.drop()
      let start = rig.world.uptime
      while await !rig.broker.isConnected { await rig.pass(.milliseconds(100)) }
      return (attempts, rig.world.uptime - start)
    }
    #expect((5...7).contains(attempts), "\(attempts)")
    #expect(back <= .seconds(1.2))
  }

  @Test
  func `F252 a subscription that is refused is named, what is not refused goes on, and its grant is noticed`()
    throws
  {
    let rig = try UplinkRig(seed: 1)
    let commands = "m/gateway/gw/cmd/#"
    let (words, isOnline, heard) = try rig.run { () -> ([String], Bool, Int) in
      await rig.broker.refuseSubscriptions(to: [commands, "m/board/+/info"])
      await rig.connected()
      await rig.pass(.seconds(5))
      let isOnline = await rig.broker.payloads(on: Self.availability).count == 1
      await rig.broker.send("m/board/\(BoardID.number(1))/cmd/led", "{}")
      await rig.pass(.seconds(1))
      let heard = await rig.notes.commands.count
      await rig.broker.drop()
      await rig.pass(.seconds(10))
      await rig.broker.refuseSubscriptions(to: [])
      await rig.broker.drop()
      await rig.pass(.seconds(10))
      return (await rig.notes.words.filter { $0.hasPrefix("not granted") }, isOnline, heard)
    }
    #expect(isOnline && heard == 1)
    #expect(
      words.map { $0.split(separator: " ").count - 2 } == [1, 2, 1, 0], "each change once: \(words)")
    #expect(words[0] == "not granted \(commands)")
  }

  @Test
  func `F252 a broker that does not let us say that we are online is named once a connection, and works`()
    throws
  {
    let rig = try UplinkRig(seed: 1)
    let (words, published) = try rig.run { () -> ([String], [Int]) in
      await rig.broker.judge { $0.topic == Self.availability ? .refuse(.denied("Not authorized")) : .accept }
      await rig.publish(1)
      await rig.pass(.seconds(120))
      return (await rig.notes.words.filter { $0.hasPrefix("refused") }, await rig.published)
    }
    #expect(words == ["refused \(Self.availability) not-authorised 135 1"])
    #expect(published == [1])
  }

  // Made anew.

  @Test
  func `F251 another section mqtt makes a new connection at once, and the old broker hears that we are gone`()
    throws
  {
    let rig = try UplinkRig(seed: 1)
    let (payloads, versions, words, took) = try rig.run {
      () -> ([String], [BrokerConnection.ProtocolVersion], [String], Duration) in
      await rig.connected()
      var configuration = UplinkConfiguration()
      await rig.uplink.change(to: configuration)
      configuration.protocolChoice = .mqtt311
      let start = rig.world.uptime
      await rig.uplink.change(to: configuration)
      while await rig.broker.attempts.count < 2 { await rig.pass(.milliseconds(10)) }
      let took = rig.world.uptime - start
      await rig.pass(.seconds(5))
      return (
        await rig.broker.payloads(on: Self.availability), await rig.broker.attempts.map(\.version),
        await rig.notes.words, took
      )
    }
    #expect(versions == [.mqtt5, .mqtt311], "what is the same changes nothing")
    #expect(took < .milliseconds(100))
    #expect(payloads.count == 3 && payloads[1] == #"{"state":"offline","birth":1}"#)
    #expect(payloads.last?.contains(#""state":"online","birth":2,"#) == true)
    #expect(words == ["connected 5", "connected 3.1.1"], "nothing was lost")
  }

  @Test func `F251 while the broker refuses us, a file that has changed is tried at once`() throws {
    let rig = try UplinkRig(seed: 1, brokerRefusal: .notAuthorised("Not authorized"))
    let (before, took) = try rig.run { () -> (Int, Duration) in
      await rig.pass(.seconds(600))
      await rig.broker.refuseConnections(because: nil)
      let before = await rig.broker.attempts.count
      let start = rig.world.uptime
      await rig.uplink.renew(because: "the password has changed")
      _ = await rig.broker.message { $0.topic == Self.availability }
      return (before, rig.world.uptime - start)
    }
    #expect(before < 20 && took < .milliseconds(100))
  }

  // Our own availability.

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `F69 a late will of an earlier birth is overruled at once`(seed: UInt64) throws {
    let rig = try UplinkRig(seed: seed)
    let (stands, took) = try rig.run { () -> (String, Duration) in
      await rig.connected()
      await rig.broker.drop()
      await rig.pass(.seconds(5))
      let start = rig.world.uptime
      await rig.broker.send(Self.availability, #"{"state":"offline","birth":1}"#, isRetained: true)
      while await rig.broker.retained[Self.availability].map({
        !String(decoding: $0, as: UTF8.self).contains("online")
      }) != false {
        await rig.pass(.milliseconds(100))
      }
      return (
        String(decoding: await rig.broker.retained[Self.availability] ?? [], as: UTF8.self),
        rig.world.uptime - start
      )
    }
    #expect(stands.contains(#""state":"online","birth":2"#), "seed \(seed)")
    #expect(took <= .seconds(5), "seed \(seed)")
  }

  @Test func `F69 what stood there before our birth is history, and our own birth is no news`() throws {
    let rig = try UplinkRig(seed: 1)
    let births = try rig.run { () -> Int in
      await rig.broker.send(Self.availability, #"{"state":"offline","birth":9}"#, isRetained: true)
      await rig.connected()
      await rig.pass(.seconds(60))
      return await rig.broker.payloads(on: Self.availability).count
    }
    #expect(births == 1)
  }

  @Test func `F69 somebody else's birth under our name is overruled, too`() throws {
    let rig = try UplinkRig(seed: 1)
    let births = try rig.run { () -> [String] in
      await rig.connected()
      await rig.broker.send(Self.availability, #"{"state":"online","birth":77}"#, isRetained: true)
      await rig.pass(.seconds(5))
      return await rig.broker.payloads(on: Self.availability)
    }
    #expect(births.count == 2 && births.last?.contains(#""birth":1"#) == true)
  }

  // Retained state.

  private func availability(of board: BoardID, _ reason: Availability.Reason) -> FleetEvent {
    .availability(board, Availability(reason: reason, since: .at(0)))
  }

  @Test(
    arguments: 1...5 as ClosedRange<UInt64>)
  func `F68 a broker that lost its retained state is told all of it within 10 s`(seed: UInt64) throws {
    let rig = try UplinkRig(seed: seed)
    let events = (1...20).map { availability(of: .number($0), .connected) }
    let (kept, took) = try rig.run { () -> (Int, Duration) in
      await rig.notes.set(events, boards: Set((1...20).map { .number($0) }))
      await rig.connected()
      await rig.broker.drop()
      await rig.broker.forget()
      let births = await rig.broker.payloads(on: Self.availability).count
      while await rig.broker.payloads(on: Self.availability).count == births {
        await rig.pass(.milliseconds(100))
      }
      let start = rig.world.uptime
      while await rig.broker.retained.count < 21, rig.world.uptime - start < .seconds(60) {
        await rig.pass(.milliseconds(100))
      }
      return (await rig.broker.retained.count, rig.world.uptime - start)
    }
    #expect(kept == 21, "seed \(seed)")
    #expect(took <= .seconds(10), "seed \(seed)")
  }

  @Test func `F68 what is stale is repaired, orphans are deleted, the rest is let alone`() throws {
    let rig = try UplinkRig(seed: 1)
    let board = "m/board/\(BoardID.number(1))"
    let (retained, arrived) = try rig.run { () -> ([String: [UInt8]], [String]) in
      let right = rig.dialect.messages(for: availability(of: .number(2), .silent))[0].message
      await rig.notes.set(
        [availability(of: .number(1), .connected), availability(of: .number(2), .silent)],
        boards: [.number(1), .number(2)])
      await rig.broker.send("\(board)/availability", #"{"state":"offline","gw":"gw"}"#, isRetained: true)
      await rig.broker.send(right.topic, String(decoding: right.payload, as: UTF8.self), isRetained: true)
      for lane in ["info", "state"] {
        await rig.broker.send("m/board/\(BoardID.number(3))/\(lane)", #"{"gw":"gw"}"#, isRetained: true)
      }
      await rig.broker.send("m/board/\(BoardID.number(3))/led", #"{"state":"OFF"}"#, isRetained: true)
      await rig.broker.send("m/board/\(BoardID.number(4))/info", #"{"gw":"other"}"#, isRetained: true)
      await rig.connected()
      await rig.pass(.seconds(10))
      return (await rig.broker.retained, await rig.broker.arrived.map(\.message.topic))
    }
    #expect(String(decoding: retained["\(board)/availability"] ?? [], as: UTF8.self).contains("connected"))
    #expect(!arrived.contains("m/board/\(BoardID.number(2))/availability"))
    #expect(retained.keys.filter { $0.contains(BoardID.number(3).description) } == [])
    #expect(retained["m/board/\(BoardID.number(4))/info"] != nil)
  }

  /// What a run under another name had published.
  private func publishedBefore(_ rig: UplinkRig, _ topics: [String]) async {
    let rows = try? await rig.store.outbox.exchange(
      topics.map {
        OutboxMessage(
          MQTTMessage(topic: $0, payload: Array("{}".utf8), isRetained: true), as: .state, created: .at(0))
      }, forDelivered: [], at: .at(0)
    ).rows
    _ = try? await rig.store.outbox.exchange([], forDelivered: rows ?? [], at: .at(0))
    for topic in topics { await rig.broker.send(topic, #"{"gw":"old"}"#, isRetained: true) }
  }

  @Test func `F222 what was published under an earlier name is removed, and what others say is not`() throws {
    let rig = try UplinkRig(seed: 1)
    let retained = try rig.run { () -> [String: [UInt8]] in
      await publishedBefore(
        rig,
        [
          "m/gateway/old/info", "m/gateway/old/health", "n/gateway/gw/info",
          "n/board/\(BoardID.number(3))/info",
          "m/board/\(BoardID.number(4))/info",
        ])
      await rig.broker.send("m/gateway/old/availability", #"{"state":"offline","birth":3}"#, isRetained: true)
      await rig.broker.send(
        "m/gateway/other/availability", #"{"state":"offline","birth":3}"#, isRetained: true)
      await rig.broker.send("n/board/\(BoardID.number(3))/info", #"{"gw":"gw"}"#, isRetained: true)
      // It may have connected before it had published anything.
      await rig.connected()
      await rig.broker.drop()
      await rig.pass(.seconds(15))
      return await rig.broker.retained
    }
    #expect(retained.keys.sorted() == ["m/gateway/gw/availability", "m/gateway/other/availability"])
  }

  @Test func `F222 a name under which a gateway is online is left alone until it is offline`() throws {
    let rig = try UplinkRig(seed: 1)
    let (early, late) = try rig.run { () -> ([String], [String]) in
      await publishedBefore(rig, ["m/gateway/old/info"])
      await rig.broker.send("m/gateway/old/availability", #"{"state":"online","birth":3}"#, isRetained: true)
      await rig.connected()
      await rig.broker.drop()
      await rig.pass(.seconds(15))
      let early = await rig.broker.retained.keys.filter { $0.contains("/old/") }.sorted()
      await rig.broker.send("m/gateway/old/availability", #"{"state":"offline","birth":3}"#, isRetained: true)
      await rig.pass(.seconds(90))
      return (early, await rig.broker.retained.keys.filter { $0.contains("/old/") }.sorted())
    }
    #expect(early == ["m/gateway/old/availability", "m/gateway/old/info"])
    #expect(late == [])
  }

  // Commands.

  @Test(
    arguments: 1...5 as ClosedRange<UInt64>)
  func `F80 a retained command at connect is handed on as refused, and cleared`(seed: UInt64) throws {
    let rig = try UplinkRig(seed: seed)
    let topic = "m/gateway/gw/cmd/reload"
    let (codes, kept) = try rig.run { () -> ([CommandFailure.Code?], Bool) in
      await rig.broker.send(topic, #"{"id":"old"}"#, isRetained: true)
      await rig.connected()
      await rig.broker.drop()
      await rig.pass(.seconds(10))
      let codes = await rig.notes.commands.map { entry -> CommandFailure.Code? in
        if case .refused(let refused) = entry.command { refused.failure.code } else { nil }
      }
      return (codes.filter { $0 != nil }, await rig.broker.retained[topic] != nil)
    }
    #expect(codes == [.retained], "once per message; seed \(seed)")
    #expect(!kept, "seed \(seed)")
  }

  private static let ownersCases: [(String?, Bool)] = [("other", true), ("gw", false), (nil, false)]

  @Test(
    arguments: ownersCases)
  func `a board is another gateway's when that one has published it, and asking holds up nothing`(
    owner: String?, isElsewhere: Bool
  ) throws {
    let rig = try UplinkRig(seed: 1)
    let (answers, took) = try rig.run { () -> ([Bool], Duration) in
      if let owner {
        await rig.broker.send("m/board/\(BoardID.number(9))/info", #"{"gw":"\#(owner)"}"#, isRetained: true)
      }
      await rig.connected()
      let start = rig.world.uptime
      let answers = await withTaskGroup(of: Bool.self) { group in
        for delay in [0, 300, 600] {
          group.addTask {
            await rig.pass(.milliseconds(delay))
            return await rig.uplink.isOwnedElsewhere(.number(9))
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      return (answers, rig.world.uptime - start)
    }
    #expect(answers == [isElsewhere, isElsewhere, isElsewhere])
    #expect(took <= .seconds(2))
  }

  // The end.

  @Test(
    arguments: 1...5 as ClosedRange<UInt64>)
  func `F75 a clean stop empties the outbox, disconnects last, and does not come back`(seed: UInt64) throws {
    let rig = try UplinkRig(seed: seed)
    let (last, told, attempts, waiting) = try rig.run { () -> (MQTTMessage?, Int, Int, Int) in
      await rig.connected()
      for number in 1...50 { await rig.publish(number) }
      await rig.uplink.stop(within: .seconds(8))
      await rig.pass(.seconds(300))
      return (
        await rig.broker.arrived.last?.message, await rig.published.count, await rig.broker.attempts.count,
        await rig.waiting
      )
    }
    #expect(last?.topic == Self.availability, "seed \(seed)")
    let offlineMessage = String(decoding: last?.payload ?? [], as: UTF8.self)
    #expect(offlineMessage.contains(#""reason":"stopped""#), "seed \(seed)")
    #expect(told == 50 && attempts == 1 && waiting == 0, "seed \(seed)")
  }

  @Test func `F75 the clean disconnect has what is left of the time, and two seconds at least`() throws {
    let rig = try UplinkRig(seed: 1)
    let limits = try rig.run { () -> (Duration?, Duration?) in
      await rig.connected()
      await rig.uplink.stop(within: .seconds(8))
      let afterNothing = await rig.broker.farewellLimit
      await rig.uplink.stop(within: .zero)
      return (afterNothing, await rig.broker.farewellLimit)
    }
    #expect(limits.0 == .seconds(8))
    #expect(limits.1 == .seconds(2))
  }

  @Test func `F75 a broker that is away does not hold up a stop`() throws {
    let rig = try UplinkRig(seed: 1, brokerRefusal: .unreachable("nobody listens"))
    let took = try rig.run { () -> Duration in
      await rig.publish(1)
      let start = rig.world.uptime
      await rig.uplink.stop(within: .seconds(8))
      return rig.world.uptime - start
    }
    #expect(took <= .seconds(8))
  }
}
