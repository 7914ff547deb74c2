import FleetModel
import Testing

@testable import Fleet

/// Whose strength of a board counts.
@Suite struct BoardSignalsTests {
  private let near = AdapterID.number(1)
  private let far = AdapterID.number(2)

  private func reading(_ strength: Int, at seconds: Int) -> RSSIReading {
    RSSIReading(strength: strength, at: .seconds(seconds))
  }

  @Test func `F171 of a board that an adapter holds, that adapter's advertisements alone count`() {
    var signals = BoardSignals()
    #expect(signals.reading(heldBy: far, at: .zero) == nil)
    signals.advertised(by: far, reading(-80, at: 1))
    signals.advertised(by: near, reading(-50, at: 2))
    #expect(signals.reading(heldBy: far, at: .seconds(3)) == reading(-80, at: 1))
    #expect(signals.reading(heldBy: far, at: .seconds(3_600)) == reading(-80, at: 1))
    #expect(signals.reading(heldBy: .number(3), at: .seconds(3)) == nil)
  }

  @Test func `F171 of a board that nobody holds, the adapter counts that receives it best at present`() {
    var signals = BoardSignals()
    signals.advertised(by: near, reading(-50, at: 1))
    signals.advertised(by: far, reading(-80, at: 10))
    #expect(signals.reading(heldBy: nil, at: .seconds(11)) == reading(-50, at: 1))
    #expect(signals.reading(heldBy: nil, at: .seconds(17)) == reading(-80, at: 10))
    // Nobody receives it any more: what was received last.
    #expect(signals.reading(heldBy: nil, at: .seconds(100)) == reading(-80, at: 10))
  }
}
