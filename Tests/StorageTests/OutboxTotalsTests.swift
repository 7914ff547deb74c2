import FleetModel
import Testing

@testable import Storage

@Suite struct OutboxTotalsTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `the running totals are what counting finds, whatever happens`(seed: UInt64) async throws {
    var random = SplitMix(seed: seed)
    let store = try Store.inMemory()
    var ids: [Int64] = []
    for step in 0..<200 {
      let some = Array(ids.shuffled(using: &random).prefix(Int.random(in: 0...5, using: &random)))
      switch Int.random(in: 0..<7, using: &random) {
      case 0...2:
        ids += try await store.outbox.append(
          (0..<Int.random(in: 1...4, using: &random)).map { _ in Self.message(step, using: &random) })
      case 3: try await store.outbox.markDelivered(some, at: .at(Int64(step)))
      case 4: try await store.outbox.markRefused(some, because: "no", at: .at(Int64(step)))
      case 5:
        _ = try await store.outbox.enforceLimits(maximumSize: 3_000, oldest: .at(Int64(step) - 50)) { _ in
          [.event("gap")]
        }
      default:
        try await store.outbox.retryRefused(limit: 100, at: .at(100))
        _ = try await store.outbox.purgeDelivered(before: .at(Int64(step) - 20), maximumSize: 1_000)
      }
      let counted = try await store.read { try OutboxTotals.counted(in: $0) }
      #expect(await store.memory.outbox == counted, "seed \(seed), step \(step)")
    }
  }

  private static func message(_ step: Int, using random: inout SplitMix) -> OutboxMessage {
    let text = String(repeating: "x", count: Int.random(in: 0...200, using: &random))
    return switch Int.random(in: 0..<4, using: &random) {
    case 0: .reply(text, at: Int64(step))
    case 1: .event(text, at: Int64(step))
    case 2: .state(text, topic: "m/board/\(Int.random(in: 1...3, using: &random))/state", at: Int64(step))
    default: .record(text, at: Int64(step))
    }
  }
}

private struct SplitMix: RandomNumberGenerator {
  var seed: UInt64

  mutating func next() -> UInt64 {
    seed &+= 0x9e37_79b9_7f4a_7c15
    var z = seed
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return z ^ (z >> 31)
  }
}
