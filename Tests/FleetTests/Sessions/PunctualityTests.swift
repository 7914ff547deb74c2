import Testing

@testable import Fleet

@Suite struct PunctualityTests {
  @Test("F24 a reader that was frozen knows it by its beat")
  func frozen() {
    var punctuality = Punctuality()
    let beats: [Double] = [0, 0.1, 0.2, 2.3, 2.4]
    let inTime = beats.map { punctuality.beat(at: .seconds($0), period: .milliseconds(100)) }
    #expect(inTime == [true, true, true, false, true])
    #expect(punctuality.wasHeldUp(since: .seconds(0.2)))
    #expect(!punctuality.wasHeldUp(since: .seconds(2.4)))
  }

  @Test func aRestOfTheBeatIsNone() {
    var punctuality = Punctuality()
    _ = punctuality.beat(at: .zero, period: .milliseconds(100))
    punctuality.rest()
    let inTime = punctuality.beat(at: .seconds(60), period: .milliseconds(100))
    #expect(inTime && !punctuality.wasHeldUp(since: .zero))
  }

  @Test func aBusyMomentIsNone() {
    var punctuality = Punctuality()
    let inTime = [0, 590].map { punctuality.beat(at: .milliseconds($0), period: .milliseconds(100)) }
    #expect(inTime == [true, true])
    #expect(!punctuality.wasHeldUp(since: .zero))
  }
}
