import Testing

@testable import Fleet

@Suite struct StallDetectorTests {
  @Test func `F24 a reader that was frozen knows it by its tick`() {
    var stallDetector = StallDetector()
    let beats: [Double] = [0, 0.1, 0.2, 2.3, 2.4]
    let inTime = beats.map { stallDetector.tick(at: .seconds($0), period: .milliseconds(100)) }
    #expect(inTime == [true, true, true, false, true])
    #expect(stallDetector.wasStalled(since: .seconds(0.2)))
    #expect(!stallDetector.wasStalled(since: .seconds(2.4)))
  }

  @Test func `a rest of the beat is none`() {
    var stallDetector = StallDetector()
    _ = stallDetector.tick(at: .zero, period: .milliseconds(100))
    stallDetector.stop()
    let inTime = stallDetector.tick(at: .seconds(60), period: .milliseconds(100))
    #expect(inTime && !stallDetector.wasStalled(since: .zero))
  }

  @Test func `a busy moment is none`() {
    var stallDetector = StallDetector()
    let inTime = [0, 590].map { stallDetector.tick(at: .milliseconds($0), period: .milliseconds(100)) }
    #expect(inTime == [true, true])
    #expect(!stallDetector.wasStalled(since: .zero))
  }
}
