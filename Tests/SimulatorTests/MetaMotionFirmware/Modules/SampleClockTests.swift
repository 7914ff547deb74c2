import Testing

@testable import Simulator

struct SampleClockTests {
  @Test(
    arguments: zip(
      1...12 as ClosedRange<UInt8>, [0.78125, 1.5625, 3.125, 6.25, 12.5, 25, 50, 100, 200, 400, 800, 1600]))
  func `Codes double the rate`(_ code: UInt8, _ rate: Double) throws {
    let clock = try #require(SampleClock(code: code, startedAt: .seconds(1)))
    #expect(clock.index(at: .seconds(1) + .seconds(64)) == Int64(64 * rate))
    #expect(clock.time(of: Int64(64 * rate)) == .seconds(65))
  }

  @Test(arguments: [0, 13, 15] as [UInt8])
  func `Other codes have no rate`(_ code: UInt8) {
    #expect(SampleClock(code: code, startedAt: .zero) == nil)
  }

  @Test func `A sensor that is off takes more samples or fewer`() throws {
    let clock = try #require(SampleClock(code: 8, speed: 1.25, startedAt: .zero))
    #expect(clock.time(of: 1_000) == .seconds(8))
  }

  @Test func `The next sample is later than now, on the grid, at the stride`() throws {
    let clock = try #require(SampleClock(code: 8, startedAt: .milliseconds(5)))
    #expect(clock.next(after: .milliseconds(5), every: 1) == .milliseconds(15))
    #expect(clock.next(after: .milliseconds(15), every: 1) == .milliseconds(25))
    #expect(clock.next(after: .milliseconds(16), every: 3) == .milliseconds(35))
    #expect(clock.next(after: .milliseconds(35), every: 3) == .milliseconds(65))
  }
}
