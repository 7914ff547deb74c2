import FleetModel
import Testing

@Suite struct TimestampTests {
  private static let first = Timestamp(nanoseconds: .min)
  private static let last = Timestamp(nanoseconds: .max)

  @Test func `counts from the epoch`() {
    let time = Timestamp(milliseconds: 1_763_671_234_567)
    #expect(time.nanoseconds == 1_763_671_234_567_000_000)
    #expect(time.microseconds == 1_763_671_234_567_000)
    #expect(time.milliseconds == 1_763_671_234_567)
    #expect(time < time + .nanoseconds(1))
  }

  @Test func `moves by durations and back`() {
    let time = Timestamp(milliseconds: 1_000)
    #expect(time + .milliseconds(250) == Timestamp(milliseconds: 1_250))
    #expect(time - .seconds(2) == Timestamp(milliseconds: -1_000))
    #expect(Timestamp(milliseconds: 1_250) - time == .milliseconds(250))
    #expect(time - Timestamp(milliseconds: 1_250) == .milliseconds(-250))
  }

  @Test(arguments: [Int64.max, .min])
  func `milliseconds that no stamp can hold are held at the ends`(milliseconds: Int64) {
    #expect(Timestamp(milliseconds: milliseconds) == (milliseconds < 0 ? Self.first : Self.last))
  }

  @Test func `sums stop at the ends instead of wrapping`() {
    #expect(Self.last + .seconds(1) == Self.last)
    #expect(Self.first + .seconds(-1) == Self.first)
    #expect(Self.first - .seconds(1) == Self.first)
    #expect(Self.last - .seconds(-1) == Self.last)
    #expect(Self.last - .nanoseconds(Int64.max) == Timestamp(nanoseconds: 0))
  }

  @Test func `distances stop at the ends instead of wrapping`() {
    #expect(Self.last - Self.first == .nanoseconds(Int64.max))
    #expect(Self.first - Self.last == .nanoseconds(Int64.min))
  }

  private static let longDurationsCases: [(Duration, Int64)] = [
    (Duration.seconds(Int64.max), Int64.max), (.seconds(Int64.min), .min),
    // The last whole second that fits, and more nanoseconds than fit beside it.
    (.seconds(9_223_372_036) + .milliseconds(999), .max),
    (.seconds(-9_223_372_036) - .milliseconds(999), .min),
    (.nanoseconds(Int64.max), .max), (.nanoseconds(Int64.min), .min), (.milliseconds(1), 1_000_000),
  ]

  @Test(
    arguments: longDurationsCases)
  func `durations longer than 292 years are held at the ends`(duration: Duration, nanoseconds: Int64) {
    #expect(duration.wholeNanoseconds == nanoseconds)
  }

  @Test func `durations are cut towards zero`() {
    #expect(Duration.microseconds(1_999).wholeMilliseconds == 1)
    #expect(Duration.microseconds(-1_999).wholeMilliseconds == -1)
    #expect(Duration.milliseconds(1_500).inSeconds == 1.5)
  }
}
