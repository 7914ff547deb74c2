import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct StorageStatusTests {
  private static let one = StorageStatus.Part.log(of: .number(1))
  private static let other = StorageStatus.Part.log(of: .number(2))

  @Test func `F90 a spell of refusals is told once, whoever is refused, and its end once`() {
    var spell = StorageStatus()
    #expect(spell.note(.outbox, nil as StoreFailure?) == nil)
    #expect(spell.note(.outbox, .misuse("")) == nil && !spell.isOn)
    #expect(spell.note(Self.one, Self.full) == .full && spell.isOn)
    #expect(spell.note(Self.one, Self.full) == nil)
    #expect(spell.note(Self.other, Self.full) == nil)
    #expect(spell.note(.outbox, Self.full) == nil)
    #expect(spell.note(Self.one, Self.none) == nil)
    #expect(spell.note(.outbox, Self.none) == nil && spell.isOn)
    #expect(spell.note(Self.other, Self.none) == .fine && !spell.isOn)
    #expect(spell.note(Self.one, StoreFailure.readOnly) == .readOnly)
  }

  private static let full: StoreFailure? = .full
  private static let none: StoreFailure? = nil

  @Test func `F134 every change of the condition is told, the worst of all parts`() {
    var spell = StorageStatus()
    #expect(spell.note(.pace, StorageCondition.slow) == .slow && !spell.isOn)
    #expect(spell.note(.outbox, StoreFailure.taken("")) == .locked && spell.isOn)
    #expect(spell.note(.outbox, StoreFailure.low) == .low)
    #expect(spell.note(Self.one, StoreFailure.corrupt("")) == .corrupt)
    #expect(spell.note(Self.one, Self.none) == .low)
    #expect(spell.note(.outbox, Self.none) == .slow)
  }

  @Test func `F96 somebody who reads without an end is told, and stops nothing`() {
    var spell = StorageStatus()
    #expect(spell.note(.reader, StorageCondition.beingRead) == .beingRead && !spell.isOn)
    #expect(spell.note(.reader, StorageCondition.beingRead) == nil)
    #expect(spell.note(.pace, StorageCondition.slow) == .slow)
    #expect(spell.note(.pace, nil as StorageCondition?) == .beingRead)
    #expect(StorageStatus.olderType(of: .beingRead, after: .fine) == nil)
    #expect(spell.note(.reader, nil as StorageCondition?) == .fine)
  }

  @Test func `F138 logs that were refused are looked after once messages are taken`() {
    var spell = StorageStatus()
    _ = spell.note(Self.other, StoreFailure.low)
    _ = spell.note(Self.one, StoreFailure.full)
    _ = spell.note(.pace, StorageCondition.slow)
    #expect(spell.refusedLogs == [.number(1), .number(2)])
    _ = spell.note(.outbox, StoreFailure.low)
    #expect(spell.refusedLogs.isEmpty)
    _ = spell.note(.outbox, Self.none)
    #expect(spell.refusedLogs == [.number(1), .number(2)])
  }

  @Test func `F134 the older kind tells what it has words for, and an end only to what it told`() {
    #expect(StorageStatus.olderType(of: .full, after: .locked) == "full")
    #expect(StorageStatus.olderType(of: .locked, after: .fine) == nil)
    #expect(StorageStatus.olderType(of: .fine, after: .locked) == nil)
    #expect(StorageStatus.olderType(of: .fine, after: .low) == "recovered")
  }

  @Test func `F66 health says how much the broker refuses, and for how long`() {
    let outbox = OutboxStatistics(
      waiting: OutboxAmount(messages: 2, bytes: 30), refused: OutboxAmount(messages: 3, bytes: 9),
      delivered: OutboxAmount(), oldest: .at(7_000), oldestRefused: .at(4_000))
    #expect(
      outbox.numbers(at: .at(10_000)) == [
        .outboxMessages: 2, .outboxBytes: 30, .outboxOldest: 3, .refusedMessages: 3, .refusedOldest: 6,
      ])
    // A clock that was set back makes nothing younger than new.
    #expect(outbox.numbers(at: .at(1_000))[.refusedOldest] == 0)
  }
}
