import FleetModel
import Testing

@testable import Fleet

@Suite struct UpdateEffectsTests {
  @Test(
    arguments: [
      ("started", nil), ("updated", .updatesOK), ("rescued", .updatesOK), ("failed", .updatesFailed),
      ("bootloader", .updatesFailed), ("available", nil),
    ] as [(String, Counters.Name?)])
  func `an update is counted by how it ends`(type: String, counter: Counters.Name?) {
    #expect(UpdateEffects.counter(of: EventDraft(.firmware, type)) == counter)
  }
}
