import Dialects
import FleetModel
import Storage
import Support
import Testing
import VirtualTime

@testable import Fleet

/// The outbox: into it, and out of it to the broker (MQTT API 6).
@Suite struct UplinkOutboxTests {
  private static let record = "m/board/\(BoardID.number(1))/record/switch"

  @Test(
    arguments: 1...8 as ClosedRange<UInt64>)
  func `F60 while the broker is away everything waits; when it is back everything arrives, in order`(
    seed: UInt64
  ) throws {
    let rig = try UplinkRig(seed: seed)
    let (waiting, told, batches, left) = try rig.run { () -> (Int, [Int], [String], Int) in
      await rig.connected()
      await rig.broker.refuseConnections(because: .unreachable("nobody listens"))
      await rig.broker.drop()
      for number in 1...60 {
        await rig.publish(number)
        await rig.batch(number)
        await rig.pass(.seconds(1))
      }
      let waiting = await rig.waiting
      await rig.broker.refuseConnections(because: nil)
      await rig.pass(.seconds(120))
      return (waiting, await rig.published, await rig.broker.payloads(on: Self.record), await rig.waiting)
    }
    #expect(waiting == 120, "seed \(seed)")
    #expect(told == Array(1...60), "seed \(seed)")
    let numbers = batches.compactMap {
      $0.split(separator: "\"seq\":").last?.split(separator: ",").first.flatMap { Int($0) }
    }
    #expect(numbers == Array(1...60), "seed \(seed)")
    #expect(left == 0, "seed \(seed)")
    #expect(rig.counters.value(of: .samplesPublished) == 60, "each sample once; seed \(seed)")
    let distributions = rig.counters.distributions
    #expect(distributions.histogram(of: .sampleAge).count == 60, "aged once each; seed \(seed)")
    #expect(distributions.histogram(of: .commitTime).count > 0)
  }

  @Test(arguments: 1...40 as ClosedRange<UInt64>)
  func `F60 what is handed over while more is written arrives in order, once`(seed: UInt64) throws {
    let rig = try UplinkRig(seed: seed, receiveMaximum: 4)
    let told = try rig.run { () -> [Int] in
      await rig.connected()
      for number in 1...100 { await rig.publish(number) }
      await rig.pass(.seconds(60))
      return await rig.published
    }
    #expect(told == Array(1...100), "seed \(seed)")
  }

  @Test func `F60 the backlog is drained at the configured pace`() throws {
    let rig = try UplinkRig(seed: 1, brokerRefusal: .unreachable("nobody listens")) { _, limits in
      limits.drainPerSecond = 10
    }
    let counts = try rig.run { () -> [Int] in
      for number in 1...600 { await rig.publish(number) }
      await rig.pass(.seconds(60))
      await rig.broker.refuseConnections(because: nil)
      await rig.connected()
      var counts: [Int] = []
      for _ in 1...10 {
        await rig.pass(.seconds(1))
        counts.append(await rig.published.count)
      }
      return counts
    }
    #expect(zip(counts, counts.dropFirst()).allSatisfy { (9...11).contains($1 - $0) })
    #expect(counts[0] <= 60)
  }

  @Test(
    arguments: 1...8 as ClosedRange<UInt64>)
  func `F64 what was not acknowledged is sent again on the next connection, and is never lost`(seed: UInt64)
    throws
  {
    let rig = try UplinkRig(seed: seed, receiveMaximum: 5)
    let (first, waiting, told, left) = try rig.run { () -> ([Int], Int, [Int], Int) in
      await rig.connected()
      await rig.broker.judge { $0.topic.contains("event") ? .lose : .accept }
      for number in 1...10 { await rig.publish(number) }
      await rig.pass(.seconds(60))
      let (first, waiting) = (await rig.published, await rig.waiting)
      await rig.broker.judge { _ in .accept }
      await rig.broker.drop()
      await rig.pass(.seconds(60))
      return (first, waiting, await rig.published, await rig.waiting)
    }
    #expect(first == Array(1...5), "the window: no more than the broker's Receive Maximum; seed \(seed)")
    #expect(waiting == 10, "seed \(seed)")
    #expect(told == Array(1...5) + Array(1...10) && left == 0, "seed \(seed)")
  }

  @Test(
    arguments: 1...8 as ClosedRange<UInt64>)
  func `F65 whenever it is killed, what the broker has not acknowledged lies on the disk`(seed: UInt64) throws
  {
    let rig = try UplinkRig(seed: seed, receiveMaximum: 50)
    let missing = try rig.run { () -> [Int] in
      await rig.connected()
      // The broker has all it gets, and says so of every other one.
      await rig.broker.judge {
        Self.number($0.payload).map { $0.isMultiple(of: 2) ? .accept : .lose } ?? .accept
      }
      var missing: [Int] = []
      for number in 1...40 {
        await rig.publish(number)
        await rig.pass(.milliseconds(700))
        let rows = (try? await rig.store.outbox.waiting(limit: 100)) ?? []
        let onDisk = Set(rows.compactMap { Self.number($0.message.message.payload) })
        missing += (1...number).filter { !$0.isMultiple(of: 2) && !onDisk.contains($0) }
      }
      return missing
    }
    #expect(missing.isEmpty, "seed \(seed): \(missing)")
  }

  /// The number of one of the rig's events.
  private static func number(_ payload: [UInt8]) -> Int? {
    String(decoding: payload, as: UTF8.self).split(separator: "\"reason\":\"").dropFirst().first?
      .split(separator: "\"").first.flatMap { Int($0) }
  }

  @Test
  func `F64 a single message that was not acknowledged is sent again, though nothing new comes after it`()
    throws
  {
    let rig = try UplinkRig(seed: 1)
    let (sent, waiting) = try rig.run { () -> (Int, Int) in
      await rig.connected()
      await rig.broker.judge { $0.topic == Self.record ? .lose : .accept }
      await rig.batch(1)
      await rig.pass(.seconds(5))
      await rig.broker.judge { _ in .accept }
      await rig.broker.drop()
      await rig.pass(.seconds(60))
      return (await rig.broker.payloads(on: Self.record).count, await rig.waiting)
    }
    #expect(sent == 2 && waiting == 0)
  }

  @Test(
    arguments: 1...20 as ClosedRange<UInt64>)
  func `what somebody else put into the outbox leaves, whenever it comes`(seed: UInt64) throws {
    let rig = try UplinkRig(seed: seed)
    let waiting = try rig.run { () -> [Int] in
      await rig.connected()
      var waiting: [Int] = []
      for number in 1...20 {
        async let ours: Void = rig.publish(number)
        async let theirs: Void = rig.putForeign()
        _ = await (ours, theirs)
        await rig.pass(.seconds(3))
        waiting.append(await rig.waiting)
      }
      return waiting
    }
    #expect(waiting.allSatisfy { $0 == 0 }, "seed \(seed): \(waiting)")
  }

  @Test func `I11 an acknowledgement for another token delivers nothing`() throws {
    let rig = try UplinkRig(seed: 1)
    let waiting = try rig.run { () -> Int in
      await rig.connected()
      await rig.broker.judge { $0.topic.contains("event") ? .lose : .accept }
      for number in 1...3 { await rig.publish(number) }
      await rig.pass(.seconds(5))
      let tokens = await rig.broker.arrived.map(\.token)
      for token: UInt64 in [0, 999, .max] where !tokens.contains(token) || token == 0 {
        await rig.broker.acknowledge(token)
      }
      await rig.pass(.seconds(5))
      return await rig.waiting
    }
    #expect(waiting == 3)
  }

  private static let refusalsCases: [(BrokerFailure, String)] = [
    (.notAuthorised("not authorised"), "not-authorised 135"),
    (.denied("not authorised"), "not-authorised 135"), (.refused(0x97, "quota exceeded"), "quota 151"),
    (.tooLarge, "too-large 149"),
  ]

  @Test(
    arguments: refusalsCases)
  func `F66 what the broker refuses is parked and told with topic and code; the rest goes on`(
    failure: BrokerFailure, words: String
  ) throws {
    let rig = try UplinkRig(seed: 1)
    let (told, changes, waiting, parked) = try rig.run { () -> ([Int], [String], Int, Int) in
      await rig.connected()
      await rig.broker.judge { $0.topic.hasSuffix("record/switch") ? .refuse(failure) : .accept }
      for number in 1...3 {
        await rig.publish(number)
        await rig.batch(number)
      }
      await rig.pass(.seconds(30))
      return (await rig.published, await rig.notes.words, await rig.waiting, await rig.refused)
    }
    #expect(told == [1, 2, 3])
    // The news of a refusal may be refused as well, so it is told once and then counted.
    #expect(changes.dropFirst() == ["refused \(Self.record) \(words) 1", "refusing \(Self.record)"])
    #expect(waiting == 0 && parked == 3)
    #expect(rig.counters.value(of: .samplesPublished) == 0, "never counted delivered")
  }

  @Test
  func `F66 F168 what was refused is offered again, what was counted is told, and which topics are refused`()
    throws
  {
    let rig = try UplinkRig(seed: 1)
    let (changes, waiting, parked) = try rig.run { () -> ([String], Int, Int) in
      await rig.connected()
      await rig.broker.judge { $0.topic.hasSuffix("record/switch") ? .refuse(.tooLarge) : .accept }
      for number in 1...3 { await rig.batch(number) }
      await rig.pass(.seconds(61))
      await rig.broker.judge { _ in .accept }
      await rig.uplink.retryRefused()
      await rig.pass(.seconds(1))
      return (await rig.notes.words, await rig.waiting, await rig.refused)
    }
    #expect(
      changes.dropFirst() == [
        "refused \(Self.record) too-large 149 1", "refusing \(Self.record)",
        "refused \(Self.record) too-large 149 2", "refusing ",
      ])
    #expect(waiting == 0 && parked == 0)
    #expect(rig.counters.value(of: .samplesPublished) > 0)
  }

  @Test func `F66 once what was refused is too old to be kept, nothing is refused any more`() throws {
    let rig = try UplinkRig(seed: 1) { _, limits in limits.outboxMaximumSize = 0 }
    let (before, after) = try rig.run { () -> (String?, String?) in
      await rig.connected()
      await rig.broker.judge { $0.topic.hasSuffix("record/switch") ? .refuse(.tooLarge) : .accept }
      await rig.batch(1)
      await rig.pass(.seconds(5))
      let before = await rig.notes.words.last
      await rig.uplink.enforceLimits(at: rig.world.now)
      await rig.pass(.seconds(5))
      await rig.uplink.retryRefused()
      return (before, await rig.notes.words.last)
    }
    #expect(before == "refusing \(Self.record)" && after == "refusing ")
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `F72 replies and state go first, then events, then records`(seed: UInt64) throws {
    let rig = try UplinkRig(seed: seed, brokerRefusal: .unreachable("nobody listens"))
    let topics = try rig.run { () -> [String] in
      for number in 1...5 {
        await rig.batch(number)
        await rig.publish(number)
        await rig.uplink.deliver([
          .availability(.number(number), Availability(reason: .silent, since: .at(0)))
        ])
      }
      await rig.pass(.seconds(5))
      await rig.broker.refuseConnections(because: nil)
      await rig.connected()
      await rig.pass(.seconds(60))
      return await rig.broker.arrived.map(\.message.topic)
    }
    func places(_ part: String) -> [Int] {
      topics.indices.filter { topics[$0].contains(part) && topics[$0].contains("/") }
    }
    let (states, events, records) = (
      places("board/").filter { topics[$0].hasSuffix("availability") }, places("event"), places("record")
    )
    #expect(states.count == 5 && events.count == 5 && records.count == 5, "seed \(seed)")
    #expect(
      (states.max() ?? 99) < (events.min() ?? 0) && (events.max() ?? 99) < (records.min() ?? 0),
      "seed \(seed)")
  }

  @Test func `F60 what is over the limit goes in one round, however many records that is`() throws {
    let rig = try UplinkRig(seed: 1, brokerRefusal: .unreachable("nobody listens")) { _, limits in
      limits.outboxMaximumSize = 1_000
    }
    let (before, after) = try rig.run { () -> (Int, Int) in
      for number in 0..<2_500 { await rig.batch(number) }
      await rig.pass(.seconds(5))
      let before = await rig.waiting
      await rig.uplink.enforceLimits(at: rig.world.now)
      return (before, (try? await rig.store.outbox.statistics().waiting.bytes) ?? -1)
    }
    // The events that tell of what went come on top, and are never dropped.
    #expect(before == 2_500 && (0..<4_000).contains(after))
    #expect(rig.counters.value(of: .samplesDropped) > 2_400)
  }

  @Test func `a retained topic waits once: the newest replaces`() throws {
    let rig = try UplinkRig(seed: 1, brokerRefusal: .unreachable("nobody listens"))
    let (waiting, payloads) = try rig.run { () -> (Int, [String]) in
      for reason in [Availability.Reason.starting, .silent, .advertising] {
        await rig.uplink.deliver([.availability(.number(1), Availability(reason: reason, since: .at(0)))])
        await rig.pass(.seconds(1))
      }
      let waiting = await rig.waiting
      await rig.broker.refuseConnections(because: nil)
      await rig.connected()
      await rig.pass(.seconds(10))
      return (waiting, await rig.broker.payloads(on: "m/board/\(BoardID.number(1))/availability"))
    }
    #expect(waiting == 1)
    #expect(payloads.count == 1 && payloads[0].contains("advertising"))
  }

  @Test func `live samples are for now: they wait for nobody`() throws {
    let rig = try UplinkRig(seed: 1, brokerRefusal: .unreachable("nobody listens"))
    let sample = LiveSample(
      board: .number(1), stream: "switch", fields: [.init("pressed", "", .flag)], time: .at(0), sequence: 0,
      values: [1])
    let (before, after, waiting) = try rig.run { () -> (Int, Int, Int) in
      await rig.uplink.deliver([.live(sample)])
      await rig.pass(.seconds(5))
      await rig.broker.refuseConnections(because: nil)
      await rig.connected()
      let topic = "m/board/\(BoardID.number(1))/live/switch"
      let before = await rig.broker.payloads(on: topic).count
      await rig.uplink.deliver([.live(sample)])
      return (before, await rig.broker.payloads(on: topic).count, await rig.waiting)
    }
    #expect(before == 0 && after == 1 && waiting == 0)
  }

  @Test func `F72 live samples that the connection does not carry are counted, and cost nothing else`() throws
  {
    let rig = try UplinkRig(seed: 1)
    let sample = LiveSample(
      board: .number(1), stream: "switch", fields: [.init("pressed", "", .flag)], time: .at(0), sequence: 0,
      values: [1])
    let (waiting, refused, records) = try rig.run { () -> (Int, Int, Int) in
      await rig.connected()
      await rig.broker.judge {
        $0.qualityOfService == .atMostOnce ? .refuse(.refused(0x97, "too much")) : .accept
      }
      for number in 0..<3 {
        await rig.uplink.deliver([.live(sample)])
        await rig.batch(number)
      }
      await rig.pass(.seconds(5))
      return (await rig.waiting, await rig.refused, await rig.broker.payloads(on: Self.record).count)
    }
    #expect(rig.counters.value(of: .liveDropped) == 3)
    #expect(rig.counters.value(of: .samplesDropped) == 0 && [waiting, refused, records] == [0, 0, 3])
  }

  @Test func `records share a commit, replies and events do not wait for it`() throws {
    let rig = try UplinkRig(seed: 1)
    let (record, event) = try rig.run { () -> (Duration, Duration) in
      await rig.connected()
      func until(_ part: String) async -> Duration {
        let start = rig.world.uptime
        _ = await rig.broker.message { $0.topic.contains(part) }
        return rig.world.uptime - start
      }
      await rig.batch(1)
      let record = await until("record")
      await rig.publish(1)
      return (record, await until("event"))
    }
    #expect(record <= .milliseconds(500))
    #expect(event == .zero)
  }

  @Test
  func
    `F82 a reply that the broker has is noted at once, so that a crash repeats nearly none; records share a commit`()
    throws
  {
    let rig = try UplinkRig(seed: 1)
    let (reply, record, noted) = try rig.run { () -> (Int, Int, Int) in
      await rig.connected()
      await rig.putForeign()
      _ = await rig.broker.message { $0.topic == "m/foreign" }
      await rig.pass(.milliseconds(100))
      let reply = await rig.waiting
      await rig.batch(1)
      _ = await rig.broker.message { $0.topic == Self.record }
      await rig.pass(.milliseconds(100))
      let record = await rig.waiting
      await rig.pass(.milliseconds(500))
      return (reply, record, await rig.waiting)
    }
    #expect(reply == 0)
    #expect(record == 1 && noted == 0)
  }

  @Test func `other limits of the outbox count from the next look on`() throws {
    let rig = try UplinkRig(seed: 1, brokerRefusal: .unreachable("nobody listens"))
    let dropped = try rig.run { () -> [Int] in
      for number in 0..<100 { await rig.batch(number * 10, samples: 10) }
      await rig.pass(.seconds(5))
      await rig.uplink.enforceLimits(at: rig.world.now)
      let before = rig.counters.value(of: .samplesDropped)
      var limits = StorageConfiguration()
      limits.outboxMaximumSize = 20_000
      await rig.uplink.change(to: limits)
      await rig.uplink.enforceLimits(at: rig.world.now)
      return [Int(before), Int(rig.counters.value(of: .samplesDropped))]
    }
    #expect(dropped[0] == 0 && dropped[1] > 0)
  }

  @Test
  func `I12 an outbox that grows too large turns its oldest records into a gap that is told and counted`()
    throws
  {
    let rig = try UplinkRig(seed: 1, brokerRefusal: .unreachable("nobody listens")) { _, limits in
      limits.outboxMaximumSize = 20_000
    }
    let gaps = try rig.run { () -> [String] in
      for number in 0..<100 {
        await rig.batch(number * 10, samples: 10)
        await rig.publish(number)
      }
      await rig.pass(.seconds(5))
      await rig.uplink.enforceLimits(at: rig.world.now)
      await rig.broker.refuseConnections(because: nil)
      await rig.connected()
      await rig.uplink.enforceLimits(at: rig.world.now)
      await rig.pass(.seconds(60))
      return await rig.broker.payloads(on: "m/board/\(BoardID.number(1))/event/data-gap")
    }
    let told = rig.counters.value(of: .samplesDropped)
    #expect(told > 0 && told + rig.counters.value(of: .samplesPublished) == 1_000)
    #expect(gaps.count == 1)
    #expect(gaps.first?.contains("\"count\":\(told),\"reason\":\"storage-full\"") == true)
    #expect(gaps.first?.contains("\"stream\":\"switch\"") == true)
  }
}
