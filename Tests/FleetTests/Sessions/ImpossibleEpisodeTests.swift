import FleetModel
import Testing

@testable import Fleet

@Suite struct ImpossibleEpisodeTests {
  private func leftOut(_ count: Int, from: Int64, to: Int64) -> OmittedSamples {
    OmittedSamples(
      first: ImpossibleValue(field: "qw", value: 0), count: count, from: .at(from), to: .at(to))
  }

  @Test func `it is over ten seconds after the last impossible value`() {
    var spell = ImpossibleEpisode(at: .seconds(5))
    #expect(!spell.isOver(at: .milliseconds(14_999)))
    spell.take(leftOut(1, from: 0, to: 0), at: .seconds(9))
    #expect(!spell.isOver(at: .milliseconds(18_999)))
    #expect(spell.isOver(at: .seconds(19)))
  }

  @Test func `all that was left out since the last time is one hole`() {
    var spell = ImpossibleEpisode(at: .zero)
    spell.take(leftOut(2, from: 0, to: 20), at: .zero)
    spell.take(leftOut(1, from: 40, to: 40), at: .seconds(1))
    #expect(!spell.isHoleDue(at: .seconds(3_599)))
    #expect(spell.isHoleDue(at: .seconds(3_600)))
    #expect(spell.takeHole() == .init(count: 3, from: .at(0), to: .at(40)))
    #expect(spell.takeHole() == nil)
    #expect(spell.count == 3)
    spell.took(1, at: .seconds(2))
    #expect(spell.takeHole() == nil, "an answer leaves no hole")
    #expect(spell.count == 4)
  }

  @Test func `NaN has a name where JSON has no number for it`() {
    #expect(ImpossibleValue(field: "qw", value: .nan).json == "nan")
    #expect(ImpossibleValue(field: "battery_pct", value: 255).json == .number(255))
  }
}
