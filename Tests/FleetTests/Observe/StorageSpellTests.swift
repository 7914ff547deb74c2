import FleetModel
import Storage
import Testing

@testable import Fleet

@Suite struct StorageSpellTests {
  private static let one = StorageSpell.Part.log(of: .number(1))
  private static let other = StorageSpell.Part.log(of: .number(2))

  @Test("F90 a spell of refusals is told once, whoever is refused, and its end once")
  func once() {
    var spell = StorageSpell()
    #expect(spell.note(.outbox, nil) == nil)
    #expect(spell.note(.outbox, .misuse("")) == nil && !spell.isOn)
    #expect(spell.note(Self.one, .full) == "full" && spell.isOn)
    #expect(spell.note(Self.one, .full) == nil)
    #expect(spell.note(Self.other, .full) == nil)
    #expect(spell.note(.outbox, .full) == nil)
    #expect(spell.note(Self.one, nil) == nil)
    #expect(spell.note(.outbox, nil) == nil && spell.isOn)
    #expect(spell.note(Self.other, nil) == "recovered" && !spell.isOn)
    #expect(spell.note(Self.one, .readOnly) == "read-only")
  }
}
