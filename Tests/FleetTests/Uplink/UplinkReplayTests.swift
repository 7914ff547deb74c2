import Dialects
import FleetModel
import Support
import Testing
import VirtualTime

@testable import Fleet

/// What was delivered, once more (MQTT contract 4.1).
@Suite struct UplinkReplayTests {
  private static let record = "m/board/\(BoardID.number(1))/record/switch"
  private static let events = "m/gateway/gw/event/process"

  private static func request(
    lanes: Set<ReplayRequest.Lane> = [.record], boards: [BoardID]? = nil, rate: Int = 500
  ) -> ReplayRequest {
    ReplayRequest(from: .at(-1_000_000), boards: boards, lanes: lanes, rate: rate)
  }

  private static func isReplay(_ message: MQTTMessage) -> Bool {
    message.properties.user.contains(UserProperty("replay", "1"))
  }

  @Test
  func
    `F67 what the broker acknowledged and lost goes out again, byte for byte and marked, and nothing else does`()
    throws
  {
    let rig = try UplinkRig(seed: 1)
    let (done, messages) = try rig.run { () -> (ReplayProgress.Amount?, [MQTTMessage]) in
      await rig.connected()
      for number in 1...60 {
        await rig.batch(number, samples: 2)
        await rig.publish(number)
      }
      await rig.pass(.seconds(5))
      let done = try? await rig.uplink.replay(Self.request()) { _ in }
      await rig.pass(.seconds(5))
      return (done ?? nil, await rig.broker.arrived.map(\.message))
    }
    #expect(done == ReplayProgress.Amount(messages: 60, samples: 120))
    let batches = messages.filter { $0.topic == Self.record }
    let (first, again) = (batches.filter { !Self.isReplay($0) }, batches.filter(Self.isReplay))
    #expect(first.count == 60 && again.map(\.payload) == first.map(\.payload))
    #expect(messages.filter { $0.topic == Self.events && Self.isReplay($0) }.isEmpty)
    #expect(rig.counters.value(of: .samplesPublished) == 120, "history is not counted twice")
  }

  @Test func `F67 only the boards, lanes and times that were asked for`() throws {
    let rig = try UplinkRig(seed: 2)
    let counts = try rig.run { () -> [Int?] in
      await rig.connected()
      await rig.batch(1)
      await rig.publish(1)
      await rig.pass(.seconds(5))
      var counts: [Int?] = []
      var past = Self.request(lanes: [.record, .log, .event])
      past.to = .at(-9)
      for request in [
        Self.request(lanes: [.event]), Self.request(lanes: [.log]),
        Self.request(lanes: [.record, .event], boards: [.number(1)]),
        Self.request(lanes: [.record, .event], boards: [.number(2)]), past,
      ] {
        counts.append((try? await rig.uplink.replay(request) { _ in })??.messages)
      }
      return counts
    }
    #expect(counts == [1, 0, 1, 0, 0])
  }

  @Test(
    arguments: 1...6 as ClosedRange<UInt64>)
  func `F67 a connection that breaks in the middle loses nothing of it`(seed: UInt64) throws {
    let rig = try UplinkRig(seed: seed)
    let (done, again) = try rig.run { () -> (ReplayProgress.Amount?, Set<[UInt8]>) in
      await rig.connected()
      for number in 1...40 { await rig.batch(number) }
      await rig.pass(.seconds(5))
      await rig.broker.judge { Self.isReplay($0) ? .lose : .accept }
      async let replay = try? rig.uplink.replay(Self.request()) { _ in }
      await rig.pass(.seconds(5))
      await rig.broker.judge { _ in .accept }
      await rig.broker.drop()
      let done = await replay ?? nil
      return (done, Set(await rig.broker.arrived.map(\.message).filter(Self.isReplay).map(\.payload)))
    }
    #expect(done?.messages == 40, "seed \(seed)")
    #expect(again.count == 40, "seed \(seed)")
  }

  @Test func `no faster than asked for, told on the way, and news are not held up`() throws {
    let rig = try UplinkRig(seed: 3)
    let told = Tally()
    let (span, news) = try rig.run { () -> (Duration, Bool) in
      await rig.connected()
      for number in 1...100 { await rig.batch(number) }
      await rig.pass(.seconds(5))
      let start = rig.world.uptime
      async let replay = try? rig.uplink.replay(Self.request(rate: 5)) { _ in await told.add() }
      await rig.pass(.seconds(3))
      await rig.publish(7)
      await rig.pass(.milliseconds(500))
      let news = await rig.published == [7]
      _ = await replay
      return (rig.world.uptime - start, news)
    }
    #expect(span >= .seconds(18) && span <= .seconds(21), "a second's worth at once, then five a second")
    #expect(news)
  }

  @Test func `one at a time`() throws {
    let rig = try UplinkRig(seed: 4)
    let second = try rig.run { () -> ReplayProgress.Amount?? in
      await rig.connected()
      for number in 1...30 { await rig.batch(number) }
      await rig.pass(.seconds(5))
      async let first = try? rig.uplink.replay(Self.request(rate: 1)) { _ in }
      await rig.pass(.seconds(2))
      let second = try? await rig.uplink.replay(Self.request()) { _ in }
      _ = await first
      return second
    }
    #expect(second == .some(nil))
  }

  private actor Tally {
    private(set) var count = 0
    func add() { count += 1 }
  }
}
