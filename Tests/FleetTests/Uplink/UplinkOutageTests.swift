import Dialects
import FleetModel
import Storage
import Support
import Testing
import VirtualTime

@testable import Fleet

/// A broker that is away for days; hours are 20 s here, and what the outbox may hold is small alike (fault F60).
@Suite struct UplinkOutageTests {
  private static let hour = Duration.seconds(20)
  private static let largest = 100_000

  private struct Outcome: Sendable {
    var sizes: [Int] = []
    var sequences: [Int] = []
    var events: [Int] = []
    var gaps = 0
    var states: [String] = []
    var waiting = -1
  }

  private func sequence(in payload: String) -> Int? {
    payload.split(separator: "\"seq\":").dropFirst().first.flatMap { Int($0.prefix { $0.isNumber }) }
  }

  /// What an hour of one board brings: records, an event, and another word on its availability.
  private func work(_ hour: Int, on rig: UplinkRig) async {
    for number in hour * 10..<(hour + 1) * 10 { await rig.batch(number * 10, samples: 10) }
    await rig.publish(hour)
    let reason = hour % 2 == 0 ? Availability.Reason.silent : .connected
    await rig.uplink.deliver([
      .availability(.number(1), Availability(reason: reason, since: .at(Int64(hour))))
    ])
    await rig.pass(Self.hour)
    await rig.uplink.enforceLimits(at: rig.world.now)
  }

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func
    `F60 three days without a broker cost the oldest records alone, each of them told, and no more room than is allowed`(
      seed: UInt64
    ) throws
  {
    let rig = try UplinkRig(seed: seed, brokerRefusal: .unreachable("nobody listens")) { _, limits in
      limits.outboxMaximumSize = Int64(Self.largest)
    }
    let outcome = try rig.run { () -> Outcome in
      var outcome = Outcome()
      await rig.notes.set([], boards: [.number(1)])
      for hour in 0..<72 {
        await work(hour, on: rig)
        outcome.sizes.append((try? await rig.store.outbox.statistics().waiting.bytes) ?? -1)
      }
      await rig.broker.refuseConnections(because: nil)
      await rig.connected()
      await rig.uplink.enforceLimits(at: rig.world.now)
      await rig.pass(.seconds(120))
      let board = "m/board/\(BoardID.number(1))"
      outcome.sequences = await rig.broker.payloads(on: "\(board)/record/switch").compactMap(sequence)
      outcome.events = await rig.published
      outcome.gaps = await rig.broker.payloads(on: "\(board)/event/data-gap").count
      outcome.states = await rig.broker.payloads(on: "\(board)/availability")
      outcome.waiting = await rig.waiting
      return outcome
    }
    #expect(outcome.sizes.allSatisfy { (1...Self.largest).contains($0) }, "seed \(seed)")
    #expect(outcome.events == Array(0..<72), "seed \(seed)")
    #expect(outcome.states.count == 1 && outcome.states[0].contains("online"), "seed \(seed)")
    let all = (0..<720).map { $0 * 10 }
    let kept = outcome.sequences.count
    #expect(kept > 20 && kept < 700 && outcome.sequences == Array(all.suffix(kept)), "seed \(seed)")
    #expect(outcome.gaps == 1 && outcome.waiting == 0, "seed \(seed)")
    let (dropped, published) = (
      rig.counters.value(of: .samplesDropped), rig.counters.value(of: .samplesPublished)
    )
    #expect(dropped == (720 - kept) * 10 && dropped + published == 7_200, "seed \(seed)")
  }
}
